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

#include "fb-doctor.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fb-ethtool.h"
#include "fb-hostfile.h"
#include "fb-links.h"
#include "fb-rtnl.h"
#include "openvswitch/dynamic-string.h"
#include "svec.h"
#include "util.h"

/* Offloads that change which frames a switch sees, or what a frame costs, by
 * their names in ethtool netlink. */
static const char *const offloads[] = {
    "rx-gro", "rx-gro-hw", "rx-gro-list", "rx-udp-gro-forwarding", "rx-lro",
    "tx-tcp-segmentation", "tx-tcp6-segmentation", "tx-udp-segmentation",
    "tx-generic-segmentation", "tx-checksum-ip-generic", "rx-checksum",
};

/* What the checks look at. */
struct evidence {
    struct fb_links first;
    struct fb_links second;
    struct fb_ethtool *ethtool; /* Or NULL. */
};

/* Takes a sample. */
static void
sample(struct fb_doctor *doctor, struct fb_links *links)
{
    struct fb_rtnl *rtnl;

    char *error = fb_rtnl_open(-1, &rtnl);
    if (!error) {
        error = fb_links_read(rtnl, links);
    }
    fb_rtnl_close(rtnl);
    if (error) {
        fb_doctor_add_unread(doctor, "%s", error);
        free(error);
    }
}

/* Takes the first sample. */
static void *
begin(struct fb_doctor *doctor)
{
    struct evidence *e = xzalloc(sizeof *e);

    sample(doctor, &e->first);
    char *error = fb_ethtool_open(-1, &e->ethtool);
    if (error) {
        fb_doctor_add_unread(doctor, "offloads and rings: %s", error);
        free(error);
    }
    return e;
}

/* Takes the second sample. */
static void
end(struct fb_doctor *doctor, void *e_)
{
    struct evidence *e = e_;
    sample(doctor, &e->second);
}

/* Frees 'e_'. */
static void
destroy(void *e_)
{
    struct evidence *e = e_;

    fb_links_destroy(&e->first);
    fb_links_destroy(&e->second);
    fb_ethtool_close(e->ethtool);
    free(e);
}

/* Is 'link' a port of a switch? */
static bool
is_port(const struct fb_link *link)
{
    return (!strcmp(link->master_kind, "bridge")
            || !strcmp(link->master_kind, "openvswitch"));
}

/* Frames that interfaces drop. */
static void
check_drops(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;

    for (size_t i = 0; i < e->second.n; i++) {
        const struct fb_link *b = &e->second.links[i];
        const struct fb_link *a = fb_links_find(&e->first, b->ifindex);
        struct fb_ethtool_rings rings = { .rx = 0 };
        if (!a) {
            continue;
        }

        double missed = (fb_doctor_rate(doctor, a->stats.rx_missed_errors,
                                        b->stats.rx_missed_errors)
                         + fb_doctor_rate(doctor, a->stats.rx_fifo_errors,
                                          b->stats.rx_fifo_errors)
                         + fb_doctor_rate(doctor, a->stats.rx_over_errors,
                                          b->stats.rx_over_errors));
        double rx = fb_doctor_rate(doctor, a->stats.rx_dropped,
                                   b->stats.rx_dropped);
        double tx = fb_doctor_rate(doctor, a->stats.tx_dropped,
                                   b->stats.tx_dropped);
        if (e->ethtool && missed > 0) {
            fb_ethtool_get_rings(e->ethtool, b->ifindex, &rings);
        }
        if (missed > 0) {
            char *fix = (rings.rx < rings.rx_max
                         ? xasprintf("ethtool -G %s rx %"PRIu32, b->name,
                                     rings.rx_max)
                         : xstrdup("spread its queues over more CPUs "
                                   "(ethtool -L, smp_affinity)"));
            fb_doctor_add(
                doctor, FB_ERROR, fix,
                "%s loses %.0f packets/s because its receive ring is full "
                "(%"PRIu32" of at most %"PRIu32" entries).", b->name, missed,
                rings.rx, rings.rx_max);
            free(fix);
        }
        if (rx + tx > 0) {
            char *fix = xasprintf("ip -s -s link show %s; ethtool -S %s",
                                  b->name, b->name);
            fb_doctor_add(
                doctor, FB_WARNING, fix,
                "%s drops %.0f packets/s that it received and %.0f that it "
                "should send.", b->name, rx, tx);
            free(fix);
        }
    }
}

/* Stores in 'on' those of 'offloads' that are on for 'link'.  Returns true if
 * successful. */
static bool
read_offloads(struct fb_doctor *doctor, const struct evidence *e,
              const struct fb_link *link, bool on[])
{
    char *features;

    if (!e->ethtool) {
        return false;
    }
    char *error = fb_ethtool_get_features(e->ethtool, link->ifindex,
                                          &features);
    if (error) {
        fb_doctor_add_unread(doctor, "%s", error);
        free(error);
        return false;
    }
    struct svec names = SVEC_EMPTY_INITIALIZER;
    svec_parse_words(&names, features);
    svec_sort(&names);
    for (size_t i = 0; i < ARRAY_SIZE(offloads); i++) {
        on[i] = svec_contains(&names, offloads[i]);
    }
    svec_destroy(&names);
    free(features);
    return true;
}

/* Returns the first port in the second sample that has the same master and is
 * of the same kind as 'link'. */
static const struct fb_link *
first_like(const struct evidence *e, const struct fb_link *link)
{
    for (size_t i = 0; i < e->second.n; i++) {
        const struct fb_link *other = &e->second.links[i];
        if (other->master == link->master && is_port(other)
            && !strcmp(other->kind, link->kind)) {
            return other;
        }
    }
    return link;
}

/* Adds a finding if 'link', with the offloads 'on', differs from 'ref', with
 * 'ref_on'. */
static void
compare_offloads(struct fb_doctor *doctor, const struct fb_link *link,
                 const bool on[], const struct fb_link *ref,
                 const bool ref_on[])
{
    struct ds text = DS_EMPTY_INITIALIZER;
    struct ds fix = DS_EMPTY_INITIALIZER;

    for (size_t i = 0; i < ARRAY_SIZE(offloads); i++) {
        if (on[i] != ref_on[i]) {
            ds_put_format(&text, "%s %s %s", text.length ? "," : "",
                          offloads[i], on[i] ? "on" : "off");
            ds_put_format(&fix, " %s %s", offloads[i],
                          ref_on[i] ? "on" : "off");
        }
    }
    if (text.length) {
        char *command = xasprintf("ethtool -K %s%s", link->name,
                                  ds_cstr(&fix));
        fb_doctor_add(doctor, FB_WARNING, command,
                      "Ports of one switch differ: %s has%s, unlike %s.",
                      link->name, ds_cstr(&text), ref->name);
        free(command);
    }
    ds_destroy(&text);
    ds_destroy(&fix);
}

/* Ports of one switch whose offloads differ, and those that must be off. */
static void
check_offloads(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;

    for (size_t i = 0; i < e->second.n; i++) {
        const struct fb_link *link = &e->second.links[i];
        const struct fb_link *ref = first_like(e, link);
        bool on[ARRAY_SIZE(offloads)], ref_on[ARRAY_SIZE(offloads)];

        if (!is_port(link) || !read_offloads(doctor, e, link, on)) {
            continue;
        }
        if (ref == link || !read_offloads(doctor, e, ref, ref_on)) {
            memcpy(ref_on, on, sizeof on);
        }
        compare_offloads(doctor, link, on, ref, ref_on);
        for (size_t j = 0; j < ARRAY_SIZE(offloads); j++) {
            if (on[j] && !link->kind[0]
                && (!strcmp(offloads[j], "rx-lro")
                    || !strcmp(offloads[j], "rx-gro"))) {
                char *fix = xasprintf("ethtool -K %s %s off", link->name,
                                      offloads[j]);
                fb_doctor_add(
                    doctor, FB_INFO, fix,
                    "%s is on for %s, a port of a switch: frames are merged "
                    "before they are counted, so that rates are not those on "
                    "the wire.", offloads[j], link->name);
                free(fix);
            }
        }
    }
}

/* XDP programs, which change how frames are received. */
static void
check_xdp(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;

    for (size_t i = 0; i < e->second.n; i++) {
        const struct fb_link *link = &e->second.links[i];
        if (link->xdp) {
            char *fix = xasprintf("ip link set dev %s xdp off", link->name);
            fb_doctor_add(
                doctor, is_port(link) ? FB_WARNING : FB_INFO, fix,
                "%s has an XDP program%s: frames take another path there, or "
                "do not arrive at all.", link->name,
                is_port(link) ? ", and is a port of a switch" : "");
            free(fix);
        }
    }
}

/* Returns true if all interrupts of 'link', of which there must be two or
 * more, may go to one CPU only, and stores that in '*cpu'. */
static bool
irqs_on_one_cpu(const struct fb_link *link, unsigned int *cpu, size_t *n)
{
    char *name = xasprintf("/sys/class/net/%s/device/msi_irqs", link->name);
    DIR *dir = fb_hostfile_opendir(name);
    bool same = true;
    struct dirent *entry;

    *n = 0;
    *cpu = 0;
    free(name);
    while (dir && (entry = readdir(dir)) != NULL) {
        char junk;
        unsigned int c;

        if (!isdigit((unsigned char) entry->d_name[0])) {
            continue;
        }
        name = xasprintf("/proc/irq/%s/smp_affinity_list", entry->d_name);
        char *list = fb_hostfile_read_line(name);
        free(name);
        if (!list || sscanf(list, "%u%c", &c, &junk) != 1
            || (*n && c != *cpu)) {
            same = false;
        } else {
            *cpu = c;
        }
        *n += 1;
        free(list);
    }
    if (dir) {
        closedir(dir);
    }
    return same && *n >= 2;
}

/* Hardware whose queues, or interrupts, are for one CPU only. */
static void
check_queues(struct fb_doctor *doctor, const void *e_)
{
    const struct evidence *e = e_;
    long int n_cpus = sysconf(_SC_NPROCESSORS_ONLN);

    for (size_t i = 0; i < e->second.n; i++) {
        const struct fb_link *link = &e->second.links[i];
        unsigned int cpu;
        size_t n;

        if (is_port(link) && link->up && !link->kind[0]
            && link->n_rx_queues == 1 && n_cpus > 1) {
            char *name = xasprintf("/sys/class/net/%s/queues/rx-0/rps_cpus",
                                   link->name);
            char *rps = fb_hostfile_read_line(name);
            if (rps && !rps[strspn(rps, "0,")]) {
                char *fix = xasprintf("echo ffffffff > %s", name);
                fb_doctor_add(doctor, FB_INFO, fix,
                              "%s has one receive queue and no RPS: one of "
                              "%ld CPUs receives all of its packets.",
                              link->name, n_cpus);
                free(fix);
            }
            free(rps);
            free(name);
        }
        if (n_cpus > 1 && irqs_on_one_cpu(link, &cpu, &n)) {
            fb_doctor_add(
                doctor, FB_WARNING,
                "systemctl start irqbalance, or set smp_affinity_list of each "
                "to another CPU",
                "All %"PRIuSIZE" interrupts of %s are bound to CPU %u: its "
                "queues (RSS) do not spread the load.", n, link->name, cpu);
        }
    }
}

static const struct fb_doctor_check checks[] = {
    { "interface-drops", "statistics by rtnetlink, twice; ethtool's rings",
      "frames dropped, or lost as a ring was full", check_drops },
    { "offloads", "ethtool's features of switches' ports",
      "ports of one switch that differ; GRO and LRO of hardware",
      check_offloads },
    { "xdp", "interfaces by rtnetlink", "XDP programs", check_xdp },
    { "queues", "interrupts and receive queues in /proc and /sys",
      "all on one CPU", check_queues },
};

const struct fb_doctor_area fb_doctor_interface = {
    .name = "interface",
    .checks = checks,
    .n_checks = ARRAY_SIZE(checks),
    .begin = begin,
    .end = end,
    .destroy = destroy,
};
