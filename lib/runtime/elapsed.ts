/**
 * Milliseconds of a clock that never goes back. As `performance.now`, without the eight modules that Node loads at the
 * global's first use (1 ms).
 */
export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
