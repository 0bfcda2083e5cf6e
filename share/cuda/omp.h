// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The routines of OpenMP as one thread executes them (the stubs of the OpenMP
/// 3.1 specification, appendix B): for host code that includes <omp.h> where
/// clang has none. Without -fopenmp its directives are comments.
#ifndef OMP_H
#define OMP_H
#pragma clang system_header

#include <time.h>

typedef int omp_lock_t;
typedef int omp_nest_lock_t;
typedef enum omp_sched_t {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4
} omp_sched_t;

static inline void omp_set_num_threads(int threads) { (void)threads; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_in_parallel(void) { return 0; }
static inline void omp_set_dynamic(int dynamic) { (void)dynamic; }
static inline int omp_get_dynamic(void) { return 0; }
static inline void omp_set_nested(int nested) { (void)nested; }
static inline int omp_get_nested(void) { return 0; }
static inline void omp_set_schedule(omp_sched_t kind, int chunk) {
  (void)kind;
  (void)chunk;
}
static inline void omp_get_schedule(omp_sched_t *kind, int *chunk) {
  *kind = omp_sched_static;
  *chunk = 0;
}
static inline void omp_set_max_active_levels(int levels) { (void)levels; }
static inline int omp_get_max_active_levels(void) { return 1; }
static inline int omp_get_active_level(void) { return 0; }
static inline int omp_get_ancestor_thread_num(int level) {
  return level == 0 ? 0 : -1;
}
static inline int omp_get_cancellation(void) { return 0; }
static inline int omp_in_final(void) { return 1; }
static inline int omp_get_thread_limit(void) { return 1; }
static inline int omp_get_level(void) { return 0; }
static inline int omp_get_team_size(int level) { return level == 0 ? 1 : -1; }

// A lock is only asked for by the thread that has it.
static inline void omp_init_lock(omp_lock_t *lock) { *lock = 0; }
static inline void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
static inline void omp_set_lock(omp_lock_t *lock) { *lock = 1; }
static inline void omp_unset_lock(omp_lock_t *lock) { *lock = 0; }
static inline int omp_test_lock(omp_lock_t *lock) {
  int isFree = !*lock;
  *lock = 1;
  return isFree;
}
static inline void omp_init_nest_lock(omp_nest_lock_t *lock) { *lock = 0; }
static inline void omp_destroy_nest_lock(omp_nest_lock_t *lock) { (void)lock; }
static inline void omp_set_nest_lock(omp_nest_lock_t *lock) { ++*lock; }
static inline void omp_unset_nest_lock(omp_nest_lock_t *lock) { --*lock; }
static inline int omp_test_nest_lock(omp_nest_lock_t *lock) { return ++*lock; }

/// Seconds since a time in the past.
static inline double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static inline double omp_get_wtick(void) { return 1e-9; }

#endif
