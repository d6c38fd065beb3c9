/** The rules for package.json and package-lock.json, and the licences of the packages. */

export type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
};

type Locked = {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly deprecated?: string;
  readonly hasInstallScript?: boolean;
};

export type Lock = { readonly packages: Readonly<Record<string, Locked & Manifest>> };

/** These licences require a notice at most. https://spdx.org/licenses/ */
const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'PSF-2.0'];

/** Other licences that are allowed, each with the reason. */
const tolerated: readonly { readonly name: RegExp; readonly licence: string; readonly reason: string }[] = [
  {
    name: /^lightningcss(-|$)/,
    licence: 'MPL-2.0',
    reason: 'Copyleft for its own files, which are unchanged here; part of the test runner, never deployed.',
  },
  {
    name: /^argparse$/,
    licence: 'Python-2.0',
    reason:
      "An older licence that requires only a notice, as PSF-2.0 does; part of the generator of the tests' client.",
  },
  {
    name: /^robust-predicates$/,
    licence: 'Unlicense',
    reason:
      'It gives the code to the public domain and requires nothing; part of the plots of the report, never deployed.',
  },
  {
    name: /^(busboy|streamsearch)$/,
    licence: 'none',
    reason: 'MIT, in the field `licenses` that npm no longer reads; comes with NestJS, only in the benchmark.',
  },
];

export type Licensed = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** False if the package is in no function and not in the CDK, which deploys. */
  readonly isForDevelopment: boolean;
};

export function licencesOf({ packages }: Lock): Licensed[] {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version = '', license = 'none', dev = false }]) => {
      return { name: nameOf(path), version, licence: license, isForDevelopment: dev };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** One line for each problem; empty if there is none. */
export function licenceProblems(lock: Lock): string[] {
  return licencesOf(lock).flatMap(({ name, version, licence, isForDevelopment }) => {
    const isTolerated = isForDevelopment && tolerated.some((one) => one.name.test(name) && one.licence === licence);
    return isPermissive(licence) || isTolerated ? [] : [`${name}@${version} is under ${licence}`];
  });
}

/** An SPDX expression: with OR one licence must be allowed, with AND all of them. */
export function isPermissive(expression: string): boolean {
  // A nested expression would need a parser. No package here has one.
  if (/[()]/.test(expression) && /\sOR\s/.test(expression) && /\sAND\s/.test(expression)) return false;
  const bare = expression.replace(/[()]/g, ' ').trim();
  return bare
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((one) => permissive.includes(one.trim())));
}

/** Finds what would make two installations differ, or run a script that nobody allowed. */
export function lockProblems(manifest: Manifest, { packages }: Lock): string[] {
  const root = packages[''] ?? {};
  return [
    ...inexact(manifest),
    ...(['dependencies', 'devDependencies'] as const).flatMap((kind) =>
      JSON.stringify(sorted(manifest[kind])) === JSON.stringify(sorted(root[kind]))
        ? []
        : [`package-lock.json does not match package.json: ${kind}`],
    ),
    ...Object.entries(packages)
      .filter(([path]) => path !== '')
      .flatMap(([path, locked]) => packageProblems(path, locked, manifest)),
  ];
}

function packageProblems(path: string, locked: Locked, { allowScripts = {} }: Manifest): string[] {
  const { version, integrity, resolved, inBundle = false, deprecated, hasInstallScript = false } = locked;
  const title = `${nameOf(path)}@${version}`;
  return [
    // A package inside another package is covered by the other package's hash.
    ...(inBundle || integrity?.startsWith('sha512-') ? [] : [`${title} has no SHA-512`]),
    ...(resolved === undefined ? [] : [`${title} names a registry: ${resolved}`]),
    ...(deprecated === undefined ? [] : [`${title} is deprecated: ${deprecated}`]),
    ...(hasInstallScript && !(nameOf(path) in allowScripts)
      ? [`${title} has an install script that package.json neither allows nor refuses`]
      : []),
  ];
}

function inexact({ dependencies = {}, devDependencies = {} }: Manifest): string[] {
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    .map(([name, version]) => `${name} has no exact version: ${version}`);
}

/** The dependencies without a row in a Markdown table: `| \`zod\`, \`@types/*\` | licence | why |`. */
export function unexplained({ dependencies = {}, devDependencies = {} }: Manifest, page: string): string[] {
  const rows = page.split('\n').filter((line) => /^\| `/.test(line));
  const named = rows.flatMap((row) => {
    const [, first = '', , why = ''] = row.split('|');
    return why.trim() === '' ? [] : [...first.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
  });
  return Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !named.some((one) => one === name || (one.endsWith('*') && name.startsWith(one.slice(0, -1)))),
  );
}

function sorted(of: Readonly<Record<string, string>> = {}): [string, string][] {
  return Object.entries(of).sort(([one], [other]) => (one < other ? -1 : 1));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
