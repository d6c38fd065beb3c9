import { readFileSync } from 'node:fs';
import { createRequire, SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { type TransformOptions, transformSync } from 'esbuild';

/**
 * The project's modules, compiled once and evaluated afresh for each execution environment, as Lambda does. What has no state
 * is evaluated once for all of them: packages, lib/contract, declarations and rules.
 */

/** The globals that a module sees in place of Node's; the names are the parameters of the compiled module. */
export type Globals = Readonly<Record<(typeof globalNames)[number], unknown>>;

export const globalNames = [
  'Date',
  'Math',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'process',
  'performance',
  'AbortSignal',
  'crypto',
  'fetch',
  'console',
  'globalThis',
] as const;

/** Gives a package or a built-in module in another form; undefined where Node's own is used. */
export type Provide = (specifier: string) => unknown;

type Compiled = {
  readonly run: (...given: unknown[]) => void;
  /** What it was made from, and how many lines less it has. */
  readonly text: string;
  readonly linesCut: number;
  /** Made when a stack trace needs it. */
  map?: SourceMap;
  /** By specifier: a file of the project, or null for what Node resolves. */
  readonly files: Map<string, string | null>;
};

export type Loaded = (file: string) => Record<string, unknown>;

/** Packages that keep timers, so that each environment needs its own. */
const freshPackages = /^@middy\//;

/** Declarations, what is pure by the layers' rules (bin/layer-rules.ts), and modules of lib/runtime that keep nothing. */
const pure =
  /^(lib\/contract\/|lib\/runtime\/(answer|authorizer-context|caller|environment|failure|handling|issues|last-write-wins|log|representation|request-line|response|validate)\.ts$|functions\/[^/]+\.ts$|functions\/generated\/|functions\/[^/]+\/(rules\/|[^/]+\.ts$))/;

/**
 * esbuild exports by getters, for imports in a circle and for what is assigned later; this project has neither. Plain values at the
 * end give the objects of all evaluations one hidden class, so V8 finds an import without a look-up.
 */
function plainExports(code: string): string {
  const [declared = '', target = '', names = ''] = /__export\((\w+), \{\n([^}]*)\}\);\n/.exec(code) ?? [];
  const exported: string[] = [];
  const body = code
    .slice(code.indexOf(`var ${target} = {};`))
    .replace(declared, '')
    .replace(`module.exports = __toCommonJS(${target});\n`, '')
    .replaceAll(/__reExport\(\w+, (require\("[^"]+"\)), module\.exports\);\n/g, (_, required: string) => {
      exported.push(`...${required}`);
      return '';
    });
  if (declared === '' || /\b__\w+\(/.test(body)) return code;
  for (const [, name, value] of names.matchAll(/^ {2}("[^"]+"|[\w$]+): \(\) => (\S+?),?$/gm))
    exported.push(`${name}: ${value}`);
  return `${body}\nmodule.exports = Object.defineProperty({ ${exported.join(', ')} }, '__esModule', { value: true });\n`;
}

/** @throws a SyntaxError, as Node does */
function transformed(text: string, options: TransformOptions) {
  try {
    return transformSync(text, options);
  } catch (error) {
    throw new SyntaxError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function commonModule(file: string, text: string, sourcemap: 'external' | false = false) {
  const { code: made, map } = transformed(text, {
    loader: file.endsWith('.ts') ? 'ts' : 'js',
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    sourcefile: file,
    sourcemap,
    logLevel: 'silent',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  });
  // esbuild's own helper would copy a package's names for each module that imports it.
  const whole = made.replaceAll(/__toESM\(require\(("[^"]+")\)(?:, \d)?\)/g, 'require.whole($1)');
  const code = plainExports(whole);
  return {
    code: `'use strict';${code}`,
    map,
    linesCut: code === whole ? 0 : whole.split('\n').length - code.split('\n').length + 2,
  };
}

/** Of files as they are, by path. */
const unchanged = new Map<string, Compiled>();

/** They are read again. @returns what takes it back */
export function forget(files: Iterable<string>): () => void {
  const before = [...files].map((file) => [file, unchanged.get(file)] as const);
  for (const [file] of before) unchanged.delete(file);
  return () => {
    for (const [file, compiled] of before) if (compiled) unchanged.set(file, compiled);
  };
}

/** Names places of the sources in a stack trace, below the root: `(functions/consents/handlers/agree.ts:31:7)`. */
export function mapped(root: string, trace: string): string {
  return trace.replaceAll(
    /(?:file:\/\/)?(\/[^\s()"'\\]+):(\d+):(\d+)/g,
    (place, file: string, line: string, column: string) => {
      const compiled = unchanged.get(file);
      if (!compiled) return place;
      compiled.map ??= new SourceMap(JSON.parse(commonModule(file, compiled.text, 'external').map));
      const origin = compiled.map.findOrigin(Number(line) + compiled.linesCut, Number(column));
      const shown = file.startsWith(`${root}/`) ? relative(root, file) : file;
      return 'lineNumber' in origin ? `${shown}:${origin.lineNumber}:${origin.columnNumber}` : place;
    },
  );
}

/** @param changed files with another text, by path: for planted faults */
export function openModules(
  root: string,
  shared: { readonly globals: Globals; readonly provide: Provide },
  changed: ReadonlyMap<string, string> = new Map(),
) {
  const native = createRequire(join(root, 'package.json'));
  const own = new Map<string, Compiled>();
  const isShared = new Map<string, boolean>();
  const wholes = new WeakMap<object, object>();
  const sharedModules = new Map<string, { exports: Record<string, unknown> }>();

  function compile(file: string): Compiled {
    const compiled = changed.has(file) ? own : unchanged;
    const known = compiled.get(file);
    if (known) return known;
    const text = changed.get(file) ?? readFileSync(file, 'utf8');
    const { code, linesCut } = commonModule(file, text);
    const parameters = ['exports', 'require', 'module', '__filename', '__dirname', ...globalNames];
    const run = compileFunction(code, parameters, { filename: file }) as Compiled['run'];
    const files = new Map<string, string | null>();
    for (const [, specifier = ''] of code.matchAll(/\brequire(?:\.whole)?\("([^"]+)"\)/g))
      files.set(specifier, fileOf(specifier, file));
    const made = { run, files, text, linesCut };
    compiled.set(file, made);
    return made;
  }

  function fileOf(specifier: string, from: string): string | null {
    if (specifier.startsWith('.')) return join(dirname(from), specifier);
    if (specifier.startsWith('file:')) return fileURLToPath(specifier);
    if (specifier.startsWith('/')) return specifier;
    if (freshPackages.test(specifier)) return fileURLToPath(import.meta.resolve(specifier));
    return null;
  }

  function mayShare(file: string): boolean {
    const known = isShared.get(file);
    if (known !== undefined) return known;
    if (!pure.test(relative(root, file).replaceAll('\\', '/'))) {
      isShared.set(file, false);
      return false;
    }
    // No circle of files exists (bin/check-imports.ts).
    const found = [...compile(file).files.values()].every((other) => other === null || mayShare(other));
    isShared.set(file, found);
    return found;
  }

  function loader(
    globals: Globals,
    provide: Provide,
    modules: Map<string, { exports: Record<string, unknown> }>,
  ): Loaded {
    const values = globalNames.map((name) => globals[name]);
    const provided = new Map<string, unknown>();
    const external = (specifier: string): unknown => {
      if (provided.has(specifier)) return provided.get(specifier);
      const given = provide(specifier) ?? native(specifier);
      provided.set(specifier, given);
      return given;
    };
    const load: Loaded = (file) => {
      const known = modules.get(file);
      if (known) return known.exports;
      if (modules !== sharedModules && mayShare(file)) return loadShared(file);
      const { run, files } = compile(file);
      const module = { exports: {} as Record<string, unknown> };
      modules.set(file, module);
      const need = (specifier: string) => {
        const other = files.get(specifier);
        return other ? load(other) : external(specifier);
      };
      need.whole = (specifier: string) => whole(need(specifier) as object);
      try {
        run.call(module.exports, module.exports, need, module, file, dirname(file), ...values);
      } catch (error) {
        modules.delete(file);
        throw error;
      }
      if (modules === sharedModules) freeze(module.exports);
      return module.exports;
    };
    return load;
  }

  /** Data that all environments see: whoever changes it fails, in place of others. A schema completes itself later. */
  function freeze(value: unknown): void {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
    if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return;
    Object.freeze(value);
    for (const each of Object.values(value)) freeze(each);
  }

  /** What `import * as` and a default import see. */
  function whole(exported: object): object {
    if ('__esModule' in exported) return exported;
    const known = wholes.get(exported);
    if (known) return known;
    const made = { ...exported, default: (exported as { default?: unknown }).default ?? exported };
    wholes.set(exported, made);
    return made;
  }

  const loadShared = loader(shared.globals, shared.provide, sharedModules);

  /** The files that a file imports, by any number of steps, and itself. */
  function dependencies(file: string, found = new Set<string>()): ReadonlySet<string> {
    if (found.has(file)) return found;
    found.add(file);
    for (const other of compile(file).files.values()) if (other !== null) dependencies(other, found);
    return found;
  }

  return {
    dependencies,
    /** @returns a function that loads files of the project, with modules of its own */
    environment: (globals: Globals, provide: Provide): Loaded => loader(globals, provide, new Map()),
    native,
  };
}
