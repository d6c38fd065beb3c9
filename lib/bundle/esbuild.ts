type Esbuild = typeof import('esbuild');

let users = 0;

/** Go collects at 60 % of growth in place of 100: some 35 MB less, and no time that can be measured. https://go.dev/doc/gc-guide#GOGC */
const collectAt = '60';

/**
 * Calls `use`, and ends esbuild's process after the last of those that use it at the same time: it would keep some hundred
 * megabytes while the CDK runs.
 */
export async function withEsbuild<T>(use: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  users += 1;
  try {
    // esbuild's process inherits it.
    process.env.GOGC ??= collectAt;
    return await use(await import('esbuild'));
  } finally {
    users -= 1;
    const { stop } = await import('esbuild');
    if (users === 0) await stop();
  }
}
