import { registerHooks } from 'node:module';

/**
 * Generates the TypeScript clients, in a process of its own: `node generate.mjs <document> <folder>…`. The generator writes
 * code by the JavaScript API of TypeScript, which version 7 does not have: it gets the one that ts-morph carries.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? new URL('typescript-api.mjs', import.meta.url).href : specifier, context),
});
const { createClient } = await import('@hey-api/openapi-ts');
const [, , ...given] = process.argv;
for (let index = 0; index < given.length; index += 2) {
  const [input, path] = given.slice(index);
  await createClient({ input, output: { path }, logs: { level: 'silent', file: false } });
}
