import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { readCatalogueFile } from '../functions/agreements/jobs/catalogue-file.ts';
import { publishCatalogue } from '../functions/agreements/jobs/publish-catalogue.ts';
import { Agreements } from '../functions/agreements/tables.ts';
import { addPolicy, readPolicyFile } from '../functions/app-version/jobs/publish-policy.ts';
import { AppVersionPolicies } from '../functions/app-version/tables.ts';
import type { AuditOccasion } from '../functions/audit/rules.ts';
import { AuditEvents } from '../functions/audit/tables.ts';
import { readCourseFolder } from '../functions/learning/jobs/course-folder.ts';
import { previewOf, publishCourse } from '../functions/learning/jobs/publish-course.ts';
import { Courses } from '../functions/learning/tables.ts';
import { applications } from '../functions/product.ts';
import { addBundle, publishDefinition } from '../functions/questionnaires/jobs/publish-questionnaires.ts';
import { dryRun, readBundles, readDefinition } from '../functions/questionnaires/jobs/questionnaire-file.ts';
import { Questionnaires } from '../functions/questionnaires/tables.ts';
import { type StageArguments, stageAccess } from './stage-access.ts';
import { stageTables } from './stage-tables.ts';

type Options = StageArguments & {
  readonly file: readonly string[];
  readonly dryRun: boolean;
  readonly answers?: string;
};

type Target = Awaited<ReturnType<typeof targetOf>>;

/** What a file or folder holds. It is read before anything is published. */
type Content = {
  /** The lines of a dry run. */
  readonly preview: readonly string[];
  readonly publish: (target: Target, occasion: AuditOccasion) => Promise<readonly string[]>;
};

/** What zod says of a file that is not of its form. */
type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

type Kind = { readonly isOne: (name: string) => boolean; readonly read: (file: string) => Promise<Content> };

const policyName = new RegExp(`^(${applications.join('|')})-(ios|android)\\.json$`);

/** In the order in which they are published: a bundle names questionnaires, and a course may, too. */
const kinds: readonly Kind[] = [
  { isOne: (name) => name === 'catalogue.json', read: catalogue },
  { isOne: (name) => policyName.test(name), read: policy },
  {
    isOne: (name) => !['catalogue.json', 'bundles.json', 'course.json'].includes(name) && !policyName.test(name),
    read: questionnaire,
  },
  { isOne: (name) => name === 'bundles.json', read: bundles },
  { isOne: (name) => name === 'course.json', read: course },
];

/** To publish the same again changes nothing. */
export async function run({ file, dryRun: isDry, answers, ...options }: Options): Promise<void> {
  const files = (await Promise.all(file.map(filesIn))).flat();
  if (answers !== undefined) {
    const [only, ...others] = files;
    if (only === undefined || others.length > 0) throw new Error('--answers takes one --file, a questionnaire');
    const definition = readDefinition(await readFile(only, 'utf8'));
    for (const line of dryRun(definition, await readFile(answers, 'utf8'))) console.log(line);
    return;
  }
  const contents = await readAll(files);
  if (isDry) {
    for (const line of contents.flatMap(({ preview }) => preview)) console.log(line);
    return;
  }
  const target = await targetOf(options);
  for (const { publish } of contents) {
    const occasion = { application: 'medinfo', actor: 'publish-content', requestId: randomUUID(), realNow: new Date() };
    for (const line of await publish(target, occasion)) console.log(line);
  }
}

/** @throws an Error where there is none, as of a misspelt path */
async function filesIn(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const found = globSync('**/*.json', { cwd: path }).toSorted();
  if (found.length === 0) throw new Error(`${path}: no content is there`);
  return found.map((name) => join(path, name));
}

/** @throws an Error that names each fault of all files */
async function readAll(files: readonly string[]): Promise<Content[]> {
  const ordered = kinds.flatMap(({ isOne, read }) =>
    files.filter((file) => isOne(basename(file))).map((file) => ({ file, read })),
  );
  const outcomes = await Promise.allSettled(ordered.map(async ({ file, read }) => read(file)));
  const faults = outcomes.flatMap((outcome, index) => {
    if (outcome.status === 'fulfilled') return [];
    const { message: said, issues = [] } = outcome.reason as Error & { readonly issues?: readonly Issue[] };
    const message = issues.map(({ path, message: fault }) => `${path.join('.')} ${fault}`).join('\n') || said;
    const name = ordered[index]?.file ?? '';
    return message.split('\n').map((line) => (line.startsWith(dirname(name)) ? line : `${name}: ${line}`));
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

async function catalogue(file: string): Promise<Content> {
  const found = await readCatalogueFile(file, new Date().toISOString());
  return {
    preview: found.catalogue.flatMap(({ agreement, versions }) =>
      versions.map(({ versionId }) => `agreement ${agreement.agreementId} ${versionId}`),
    ),
    publish: ({ tables, s3, texts: bucket }, occasion) => publishCatalogue({ tables, s3, bucket }, found, occasion),
  };
}

async function policy(file: string): Promise<Content> {
  const found = readPolicyFile(await readFile(file, 'utf8'));
  const [, application, platform] = policyName.exec(basename(file)) as unknown as [
    string,
    (typeof applications)[number],
    'ios' | 'android',
  ];
  return {
    preview: [`version policy of ${application} on ${platform}`],
    publish: async ({ tables }, occasion) => [await addPolicy(tables, { application, platform }, found, occasion)],
  };
}

async function questionnaire(file: string): Promise<Content> {
  const found = readDefinition(await readFile(file, 'utf8'));
  return {
    preview: [`questionnaire ${found.questionnaireId} ${found.version}`],
    publish: async (target, occasion) => [await publishDefinition(target, found, occasion)],
  };
}

async function bundles(file: string): Promise<Content> {
  const found = readBundles(await readFile(file, 'utf8'));
  return {
    preview: found.map(({ bundleId }) => `bundle ${bundleId}`),
    async publish(target, occasion) {
      const lines: string[] = [];
      for (const bundle of found) lines.push(await addBundle(target, bundle, occasion));
      return lines;
    },
  };
}

async function course(file: string): Promise<Content> {
  const folder = dirname(file);
  const { course: found, faults } = await readCourseFolder(folder);
  if (!found) {
    const lines = faults.map(({ file: name, line, message }) => `${join(folder, name)}:${line}: ${message}`);
    throw new Error(lines.join('\n'));
  }
  return {
    preview: previewOf(found),
    publish: async ({ tables, s3, courseFiles: bucket }, occasion) => [
      await publishCourse({ tables, s3, bucket }, found, occasion),
    ],
  };
}

/** A film takes longer than a text. */
const s3Limits = { maxAttempts: 3, requestHandler: { connectionTimeout: 2000, requestTimeout: 120_000 } };

async function targetOf(options: StageArguments) {
  const access = await stageAccess(options);
  return {
    environment: options.stage ?? 'dev',
    tables: await stageTables(access, [Agreements, AppVersionPolicies, AuditEvents, Courses, Questionnaires]),
    s3: new S3Client({ ...s3Limits, ...access.client('s3') }),
    texts: await access.outputs('AgreementContentsBucketName'),
    courseFiles: await access.outputs('CourseFilesBucketName'),
  };
}
