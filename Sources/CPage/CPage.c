#include "CPage.h"

#include <stddef.h>

// Of C23, which this compiler knows whatever it is told to follow.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define HTML "text/html; charset=utf-8"
#define CSS "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"

// All there are: whatever lies in Sources/Web/Page has its lines here, and a test compares the two.
static const cpage_file files[] = {
    {"/", HTML, (const unsigned char[]){
#embed "../Web/Page/index.html" suffix(, 0) if_empty(0)
    }},
    {"/app.css", CSS, (const unsigned char[]){
#embed "../Web/Page/app.css" suffix(, 0) if_empty(0)
    }},
    {"/app.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/app.js" suffix(, 0) if_empty(0)
    }},
    {"/dom.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/dom.js" suffix(, 0) if_empty(0)
    }},
    {"/fleet.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/fleet.js" suffix(, 0) if_empty(0)
    }},
    {"/forms.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/forms.js" suffix(, 0) if_empty(0)
    }},
    {"/geometry.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/geometry.js" suffix(, 0) if_empty(0)
    }},
    {"/link.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/link.js" suffix(, 0) if_empty(0)
    }},
    {"/model.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/model.js" suffix(, 0) if_empty(0)
    }},
    {"/stimuli.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/stimuli.js" suffix(, 0) if_empty(0)
    }},
    {"/stream.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/stream.js" suffix(, 0) if_empty(0)
    }},
    {"/text.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/text.js" suffix(, 0) if_empty(0)
    }},
    {"/view-board.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/view-board.js" suffix(, 0) if_empty(0)
    }},
    {"/view-fleet.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/view-fleet.js" suffix(, 0) if_empty(0)
    }},
    {"/view-lists.js", SCRIPT, (const unsigned char[]){
#embed "../Web/Page/view-lists.js" suffix(, 0) if_empty(0)
    }},
};

const cpage_file *cpage_at(unsigned int number) {
  return number < sizeof files / sizeof *files ? &files[number] : NULL;
}
