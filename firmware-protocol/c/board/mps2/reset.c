#include "reset.h"

#include "board.h"

#define MARK UINT32_C(0x52530000)
#define REQUEST UINT32_C(0x05FA0004) /* of a reset, with the key of the register */

static uint32_t retained __attribute__((section(".retained")));

enum tsl_reset reset_reason(void)
{
    const uint32_t reason = retained & UINT32_C(0xFFFF);
    return (retained & UINT32_C(0xFFFF0000)) == MARK && reason >= TSL_RESET_POWER && reason <= TSL_RESET_UPDATE
               ? (enum tsl_reset)reason
               : TSL_RESET_POWER;
}

void reset_board(enum tsl_reset reason)
{
    retained = MARK | (uint32_t)reason;
    __asm__ volatile("dsb" ::: "memory");
    *board_register(UINT32_C(0xE000ED0C)) = REQUEST;
    for (;;)
        board_sleep();
}
