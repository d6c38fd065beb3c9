/**
 * How often a property is tried: a fifth of it in `npm test`, which should take at most 100 s, all of it in `npm run test:slow`
 * (test/slow.config.ts sets the variable).
 */
export function runs(all: number): number {
  return process.env.PROPERTY_RUNS === 'all' ? all : Math.max(Math.ceil(all / 5), 3);
}
