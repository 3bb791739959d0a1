/* Prints how much memory one device takes. */
#include <stdio.h>

#include "tsl_device.h"

int main(void)
{
    /* As unsigned: libc of a microcontroller may not know %zu */
    printf("memory of a device: %u bytes, of them queue and window %u, wishes that wait for Arm %u, handshake %u\n",
           (unsigned)sizeof(struct tsl_device), (unsigned)sizeof(struct tsl_sender),
           (unsigned)sizeof(((struct tsl_orders *)NULL)->waiting), (unsigned)sizeof(struct tsl_greeting));
    printf("non-volatile: record %u, event slot %u, result slot %u, provisioning record %u bytes\n",
           (unsigned)sizeof(struct tsl_record), (unsigned)sizeof(struct tsl_kept_event),
           (unsigned)sizeof(struct tsl_kept_result), (unsigned)sizeof(struct tsl_provisioning));
    return 0;
}
