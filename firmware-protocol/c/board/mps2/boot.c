/* The boot loader: decides which slot starts (section 12.3 of ../../../README.md), puts what came by an update in the
 * place of the image, and jumps there. The factory's image is in that place after each reset. */
#include <string.h>

#include "board.h"
#include "flash_file.h"
#include "semihosting.h"
#include "tsl_slots.h"
#include "words.h"

enum { LONGEST_PATH = 512, LARGEST = 960 << 10 };

/* It enables no interrupt. */
void systick_handler(void) {}
void timer0_handler(void) {}
void uart0_rx_handler(void) {}
void uart0_tx_handler(void) {}
void uart1_rx_handler(void) {}
void uart1_tx_handler(void) {}

static void jump(void) __attribute__((noreturn));
static void jump(void)
{
    const struct vectors *vectors = (const struct vectors *)BOARD_IMAGE;
    if (vectors->magic != BOARD_IMAGE_MAGIC)
        semihosting_exit();
    *board_register(UINT32_C(0xE000ED08)) = BOARD_IMAGE;
    __asm__ volatile("dsb\n isb\n msr msp, %0\n bx %1" ::"r"(vectors->stack), "r"(vectors->reset) : "memory");
    __builtin_unreachable();
}

/* Puts the image of the slot that runs in its place, unless it is the factory's. */
static bool place_image(const struct flash_file *file, const struct tsl_slots *slots)
{
    const uint8_t running = tsl_slots_running(slots);
    const uint32_t size = slots->record.images[running].size;
    return size <= LARGEST && flash_file_read(file, running, 0, (uint8_t *)BOARD_IMAGE, size);
}

int main(void)
{
    static struct settings settings;
    static struct flash_file file;
    static struct tsl_slots slots;
    char path[LONGEST_PATH];
    words_read(&settings);
    if (!settings.updatable)
        jump();
    const size_t length = strlen(settings.memory);
    if (length + sizeof ".flash" > sizeof path)
        semihosting_exit();
    memcpy(path, settings.memory, length);
    memcpy(path + length, ".flash", sizeof ".flash");
    if (!flash_file_open(&file, path))
        semihosting_exit();
    const struct tsl_flash flash = flash_file(&file);
    const struct tsl_product product = settings_product(&settings);
    tsl_slots_open(&slots, &flash, &product);
    if (!tsl_slots_start(&slots) || !place_image(&file, &slots))
        semihosting_exit();
    jump();
}
