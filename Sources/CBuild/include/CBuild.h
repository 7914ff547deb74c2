/* What the manifest knows of the sources that a build is made of. */
#pragma once

/* The commit, with "+" behind it where files were changed since; empty where the sources were no git repository. */
const char *build_commit(void);
