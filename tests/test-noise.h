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

#ifndef TEST_NOISE_H
#define TEST_NOISE_H 1

/* Simulated noise. */

struct fb_rng;

/* Shapes of distributions, each with a mean of 0. */
enum test_noise {
    TEST_NORMAL,                /* Standard normal. */
    TEST_UNIFORM,               /* Uniform, with a standard deviation of 1. */
    TEST_HEAVY,                 /* Normal; one in ten with three times the
                                 * standard deviation. */
    TEST_N_NOISES
};

double test_noise_draw(struct fb_rng *, enum test_noise);

#endif /* test-noise.h */
