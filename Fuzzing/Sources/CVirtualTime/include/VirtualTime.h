#ifndef VIRTUAL_TIME_H
#define VIRTUAL_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* Runs Swift's tasks on the thread that asks, in an order that depends on nothing but a seed, by a clock that stands until
 * all tasks wait for it: whoever sleeps for an hour has slept an hour at once, and what waits for nothing that could ever
 * come is found out. */

/* From here on tasks run only in virtual_time_step, and the clocks are false. The wall clock begins at so many
 * milliseconds since 1970. An order of 0 runs tasks first come, first served; another number, as chance has it. */
void virtual_time_enter(int64_t milliseconds, uint32_t order);

/* Runs a task on to where it waits; where all wait, moves the clock to whatever is to happen first. False if nothing is
 * left that could ever run. */
bool virtual_time_step(void);

/* Back to the real clocks. Nothing may be left to run. */
void virtual_time_leave(void);

/* Moves the wall clock and no other one, as a user does who sets it. */
void virtual_time_set_wall_clock(int64_t milliseconds);

/* Seconds since it began, by the clock that never jumps. */
double virtual_time_elapsed(void);

/* Milliseconds since 1970, by the wall clock. */
int64_t virtual_time_wall_clock(void);

#endif
