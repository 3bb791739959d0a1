/* The board: ARM's MPS2 with a Cortex-M3 (AN385), as QEMU emulates it. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

enum {
    BOARD_HZ = 25000000,
    BOARD_INTERRUPTS = 32,
    BOARD_IMAGE = 0x00010000,       /* where an image lies when it runs */
    BOARD_IMAGE_MAGIC = 0x314c5354, /* "TSL1" */
};

/* Interrupts of the board, and where its devices are. */
enum { UART0_RX = 0, UART0_TX = 1, UART1_RX = 2, UART1_TX = 3, TIMER0 = 8 };
#define UART0_BASE UINT32_C(0x40004000)
#define UART1_BASE UINT32_C(0x40005000)
#define TIMER0_BASE UINT32_C(0x40000000)

/* What an image begins with. Entries that the processor reserves say what the boot loader has to know. */
struct vectors {
    uint32_t *stack;
    void (*reset)(void);
    void (*faults[5])(void);
    uint32_t magic;
    const uint8_t *size; /* a number, of bytes, that the linker knows */
    const uint8_t *number; /* likewise, tells images apart */
    uint32_t reserved;
    void (*calls[4])(void);
    void (*systick)(void);
    void (*interrupts[BOARD_INTERRUPTS])(void);
};

static inline volatile uint32_t *board_register(uint32_t address)
{
    return (volatile uint32_t *)address;
}

static inline void board_enable(unsigned interrupt)
{
    *board_register(UINT32_C(0xE000E100)) = UINT32_C(1) << interrupt;
}

/* Interrupts wait from the first to the second; the processor still wakes for them. */
static inline void board_hold(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}

static inline void board_release(void)
{
    __asm__ volatile("cpsie i" ::: "memory");
}

static inline void board_sleep(void)
{
    __asm__ volatile("dsb\n wfi" ::: "memory");
}

/* Handlers, which the vector table names. */
void systick_handler(void);
void timer0_handler(void);
void uart0_rx_handler(void);
void uart0_tx_handler(void);
void uart1_rx_handler(void);
void uart1_tx_handler(void);

#endif
