#include <config.h>
#include "dpif.h"
#include "openvswitch/dynamic-string.h"
struct dpif_flow_dump *__real_dpif_flow_dump_create(const struct dpif *, bool,
                                            struct dpif_flow_dump_types *);
int __real_dpif_flow_dump_destroy(struct dpif_flow_dump *);
struct dpif_flow_dump *__wrap_dpif_flow_dump_create(const struct dpif *, bool,
                                            struct dpif_flow_dump_types *);
int __wrap_dpif_flow_dump_destroy(struct dpif_flow_dump *);
struct dpif_flow_dump *
__wrap_dpif_flow_dump_create(const struct dpif *dpif, bool terse,
                             struct dpif_flow_dump_types *types)
{
    return __real_dpif_flow_dump_create(dpif, terse, types);
}
int
__wrap_dpif_flow_dump_destroy(struct dpif_flow_dump *d)
{
    return __real_dpif_flow_dump_destroy(d);
}
