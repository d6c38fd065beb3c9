import { createClient } from '@hey-api/openapi-ts';

/** Generates TypeScript clients, in a process of its own: `node generate.mjs <document> <folder>…`. */

const [, , ...given] = process.argv;
for (let index = 0; index < given.length; index += 2) {
  const [input, path] = given.slice(index);
  await createClient({ input, output: { path }, logs: { level: 'silent', file: false } });
}
