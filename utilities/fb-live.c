/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License. */

#include <config.h>

#include "fb-live.h"

#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fb-netns.h"
#include "util.h"

#ifdef BPF_F_TEST_XDP_LIVE_FRAMES
/* Loads the program that lets every frame pass to the network stack.  Two
 * instructions need no library.  Returns a file descriptor, or a negative
 * errno value. */
static int
load_program(void)
{
    static const struct bpf_insn insns[] = {
        { .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0,
          .imm = XDP_PASS },
        { .code = BPF_JMP | BPF_EXIT },
    };
    static const char license[] = "Apache-2.0";
    union bpf_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.prog_type = BPF_PROG_TYPE_XDP;
    attr.insns = (uintptr_t) insns;
    attr.insn_cnt = ARRAY_SIZE(insns);
    attr.license = (uintptr_t) license;
    int fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr);
    return fd < 0 ? -errno : fd;
}

/* Runs 'prog_fd' on 'n' copies of 'frame', as received by 'ifindex' of the
 * current network namespace, and stores what one took, in ns, in '*ns'.
 * Returns 0 or an errno. */
static int
run_program(int prog_fd, int ifindex, const void *frame, size_t len,
            uint32_t n, double *ns)
{
    struct xdp_md ctx = { .data_end = len, .ingress_ifindex = ifindex };
    union bpf_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.test.prog_fd = prog_fd;
    attr.test.data_in = (uintptr_t) frame;
    attr.test.data_size_in = len;
    attr.test.ctx_in = (uintptr_t) &ctx;
    attr.test.ctx_size_in = sizeof ctx;
    attr.test.repeat = n;
    attr.test.flags = BPF_F_TEST_XDP_LIVE_FRAMES;
    if (syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof attr)) {
        return errno;
    }
    *ns = attr.test.duration;
    return 0;
}

/* Has the interface 'ifindex' of the namespace 'netns_fd' receive 'n' copies
 * of 'frame', of 'len' bytes, on this CPU, and stores in '*ns' how long each
 * took the network stack, in ns, with what it takes to make it.  That is the
 * kernel's own time, without that to begin and to end; it counts no frames of
 * that interface.
 *
 * Returns NULL if successful, otherwise a malloc()'d error message. */
char *
fb_live_receive(int netns_fd, int ifindex, const void *frame, size_t len,
                uint32_t n, double *ns)
{
    int retval = 0;
    int old_fd;

    int prog_fd = load_program();
    if (prog_fd < 0) {
        return xasprintf("an XDP program cannot be loaded (%s)",
                         ovs_strerror(-prog_fd));
    }
    char *error = fb_netns_enter(netns_fd, &old_fd);
    if (!error) {
        retval = run_program(prog_fd, ifindex, frame, len, n, ns);
        fb_netns_leave(old_fd);
    }
    close(prog_fd);
    return (retval ? xasprintf("this kernel has no XDP live frames (%s)",
                               ovs_strerror(retval)) : error);
}
#else /* BPF_F_TEST_XDP_LIVE_FRAMES */
/* The same, where the kernel's headers know nothing of it. */
char *
fb_live_receive(int netns_fd OVS_UNUSED, int ifindex OVS_UNUSED,
                const void *frame OVS_UNUSED, size_t len OVS_UNUSED,
                uint32_t n OVS_UNUSED, double *ns OVS_UNUSED)
{
    return xstrdup("built with headers of a kernel without XDP live frames");
}
#endif /* BPF_F_TEST_XDP_LIVE_FRAMES */
