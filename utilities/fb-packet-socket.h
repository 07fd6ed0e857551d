/* Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */

#ifndef FB_PACKET_SOCKET_H
#define FB_PACKET_SOCKET_H 1

/* AF_PACKET sockets that send into one interface and receive nothing. */

int fb_packet_socket_open(int *fdp);
int fb_packet_socket_bind(int fd, int ifindex);

#endif /* fb-packet-socket.h */
