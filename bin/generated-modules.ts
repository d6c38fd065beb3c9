import { permissions } from '../functions/domains.ts';

/**
 * What functions read of all domains: data, since a function that imported functions/domains.ts would carry every
 * declaration, and import itself.
 */
export const modules: readonly { readonly path: string; readonly expected: () => string }[] = [
  { path: 'functions/iam/generated.ts', expected: permissionsModule },
];

/** What `/iam` answers. */
function permissionsModule(): string {
  return [
    notice('functions/*/permissions.ts'),
    "import type { Permission } from '../../lib/contract/permissions.ts';",
    '',
    'export const permissions = [',
    ...permissions.map((each) => `  ${JSON.stringify(each)},`),
    '] as const satisfies readonly Permission[];',
    '',
  ].join('\n');
}

function notice(from: string): string {
  return `// Generated from ${from} by npm run generate; do not edit.\n`;
}
