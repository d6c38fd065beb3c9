/** The parts of `npm run check`, in their order. */
export const always = ['types', 'lint', 'unused', 'generated', 'imports', 'spec', 'packages'] as const;

/** They can fail by the day, so they run only if they are named. */
export const byTheDay = ['advisories', 'contacts'] as const;

export type Part = (typeof always | typeof byTheDay)[number];
