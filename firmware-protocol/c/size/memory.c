/* Prints how much memory one device takes. */
#include <stdio.h>

#include "tsl_device.h"

int main(void)
{
    printf("memory of a device: %zu bytes, of them queue and window %zu, wishes that wait for Arm %zu, handshake %zu\n",
           sizeof(struct tsl_device), sizeof(struct tsl_sender), sizeof(((struct tsl_orders *)NULL)->waiting),
           sizeof(struct tsl_greeting));
    printf("non-volatile: record %zu, event slot %zu, result slot %zu, provisioning record %zu bytes\n",
           sizeof(struct tsl_record), sizeof(struct tsl_kept_event), sizeof(struct tsl_kept_result),
           sizeof(struct tsl_provisioning));
    return 0;
}
