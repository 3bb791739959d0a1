/* Files of the computer that emulates the board, through a debugger's calls: they stand for memory that survives the
 * loss of power, and for what lies around the device. Descriptors are those of the debugger; -1: it could not. */
#ifndef SEMIHOSTING_H
#define SEMIHOSTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum semihosting_mode { SEMIHOSTING_READ = 1, SEMIHOSTING_UPDATE = 3, SEMIHOSTING_CREATE = 7 };

int semihosting_open(const char *path, enum semihosting_mode mode);
void semihosting_close(int file);

/* Exactly so many bytes; false: not all of them. */
bool semihosting_seek(int file, size_t place);
bool semihosting_write(int file, const void *bytes, size_t size);

/* How many were read. */
size_t semihosting_read(int file, void *bytes, size_t size);

/* -1: it cannot be known. */
long semihosting_size(int file);
bool semihosting_rename(const char *from, const char *to);

/* The words that the board was started with, separated by spaces. */
bool semihosting_words(char *text, size_t room);

/* Ends the emulator: the board cannot go on. */
void semihosting_exit(void) __attribute__((noreturn));

/* To whoever watches the debugger. */
void semihosting_say(const char *text);

#endif
