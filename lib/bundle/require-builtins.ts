import { createRequire, isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/**
 * An ES module's import of one of Node's own modules reads every export of it, getters too: `node:http` loads undici for
 * the global `WebSocket` (35 ms, against 3 ms without), `node:crypto` Web Crypto (6 ms), `node:process` a table of all
 * flags. Here only what is used is read: 24.6 ms of 108 less (23.6 to 25.5).
 * https://nodejs.org/api/process.html#processgetbuiltinmoduleid
 */
export const requireBuiltins: Plugin = {
  name: 'require-builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_0-9]+(\/[a-z]+)?$/ }, ({ path, kind }) => {
      const id = path.replace(/^(node:)?/, 'node:');
      if (!isBuiltin(id)) return null;
      const namespace = kind === 'import-statement' ? 'builtin' : 'builtin-whole';
      return { path: id, namespace, sideEffects: false };
    });
    // What is imported when it is needed, or required: esbuild passes its exports on unread.
    build.onLoad({ filter: /.*/, namespace: 'builtin-whole' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: exportsOf(path) }));
  },
};

/**
 * What a function may import of `process` by name; any other import fails the build. The object itself has other names in
 * a worker thread, in a forked process, and where a tool has wrapped a method.
 */
const ofProcess = ['arch', 'cwd', 'emitWarning', 'env', 'hrtime', 'nextTick', 'platform', 'version', 'versions'];

/**
 * Each export can be dropped by itself; one that stays is read when the bundle is loaded, as an import would. The list is
 * the same wherever it is made: esbuild chooses its short names by how often letters come in all that it reads.
 */
export function exportsOf(id: string): string {
  const names = id === 'node:process' ? ofProcess : namesIn(id);
  return [
    `const found = /* @__PURE__ */ process.getBuiltinModule('${id}');`,
    'export default found;',
    ...names.map((name) => `const own_${name} = ${readingOf(name)}; export { own_${name} as ${name} };`),
  ].join('\n');
}

/** Only the names: reading the values would load modules that must not be loaded here. */
function namesIn(id: string): string[] {
  return Object.getOwnPropertyNames(require(id))
    .filter((name) => /^[A-Za-z]\w*$/.test(name) && name !== 'default')
    .toSorted();
}

/** middy wants the table of status texts for its errors: http is loaded when there is one. The SDK binds Web Crypto's. */
function readingOf(name: string): string {
  if (name === 'getRandomValues') return '(array) => found.getRandomValues(array)';
  if (name !== 'STATUS_CODES') return `/* @__PURE__ */ (() => found.${name})()`;
  return `/* @__PURE__ */ new Proxy({}, { get: (_, code) => process.getBuiltinModule('node:http').STATUS_CODES[code] })`;
}
