#include <sys/types.h>

/* So many bytes from `at` on will be written, or cut off. */
void power_keep(int file, off_t at, size_t size);
/* All of this file is on disk. */
void power_synced(int file);
/* The last thing that happens; `some`: only every other file loses what was not synced, another choice for odd
 * and for even numbers; 0: all do. */
void power_lost(int some);
