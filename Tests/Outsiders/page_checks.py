#!/usr/bin/python3
"""Judges the page of `metafleet run` in a real browser, Debian's chromium with chromedriver and python3-selenium, in front of a fake
BlueZ and a real mosquitto: rows against retained documents, buttons against what boards were told, downloads against `metafleet
export`; names, roles, focus and contrast of every control; hostile names; firmware and its stages, and what is done to simulated boards, in front of a fake building; tokens; a broker and a gateway that are killed.

With --long in addition: every button of every page, charts and the box by their pixels, eight tabs, a whole job by keys, five
hundred boards, and a browser that stands still (`./deploy/test --long page`).

With --page DIR the page's own files come from there (Sources/Web/Page of a checkout) instead of those in the program: so a page
can be judged before the gateway is built with it.

axe, which judges accessibility elsewhere, is not asked: Debian 12 has no package of axe-core, and nothing is fetched from
elsewhere. What its rules for names, roles, focus, contrast and reflow ask is asked here.
"""
import argparse
import os
import sys
import time

import checks_page
import checks_page_access
import checks_page_buttons
import checks_page_firmware
import checks_page_load
import checks_page_pictures
import checks_page_use
from bench import Report, end_cleanly_on_signals
from page_bench import PageBench
from page_proxy import PAGE


def timed(step, *arguments):
    began = time.monotonic()
    try:
        step(*arguments)
    except Exception as error:
        arguments[1].check(f"{step.__name__} goes to its end", False, "the end", f"{type(error).__name__}: {error}")
    print(f"# {step.__name__} took {time.monotonic() - began:.0f} s", flush=True)


def played(make, r, steps, pictures=None, isStarted=True):
    """These steps, one behind the other, in front of one gateway."""
    if not steps and not pictures:
        return
    b = make()
    try:
        if isStarted:
            b.start()
            b.up(r)
            b.browser.open(b.address())
            b.browser.sees(15, "live", "#status")
        for step in steps:
            timed(step, b, r, b.browser)
        if pictures:
            checks_page_access.pictures(b, pictures)
    finally:
        b.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--long", action="store_true", help="all that takes longer, too: a quarter of an hour")
    parser.add_argument("--only", metavar="NAMES", help="of the functions, these, with commas between")
    parser.add_argument("--page", metavar="DIR", help="the folder from which the page's own files come")
    parser.add_argument("--pictures", metavar="DIR", help="leave a picture of every page here, wide, narrow and dark")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r, binary = Report(), os.path.abspath(options.binary)
    wanted = options.only.split(",") if options.only else None
    chosen = lambda steps: [step for step in steps if wanted is None or step.__name__ in wanted]
    shared = [*checks_page.SHORT[:1], *checks_page_access.SHORT, *checks_page_firmware.SHORT, *checks_page_buttons.SHORT, *checks_page.SHORT[1:]]
    six = lambda: PageBench(binary, keep=options.keep, page=options.page)
    played(six, r, chosen(shared), options.pictures)
    if options.long:
        played(lambda: checks_page_load.LoadBench(binary, keep=options.keep, page=options.page or PAGE), r, chosen(checks_page_load.LONG), isStarted=False)
        played(six, r, chosen([*checks_page_pictures.LONG, *checks_page_use.LONG[:-1], *checks_page_buttons.LONG, *checks_page_use.LONG[-1:]]))
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
