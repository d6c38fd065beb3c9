import { rm } from 'node:fs/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCourseFolder } from '../../functions/learning/jobs/course-folder.ts';
import { type PublishDependencies, publishCourse } from '../../functions/learning/jobs/publish-course.ts';
import { readCoursePage, readCurrent } from '../../functions/learning/stores/course-rows.ts';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { startS3 } from '../../lib/local/s3/s3.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { bucketModel } from '../local/s3/started.ts';
import { createTables, handlesNamed } from '../tables.ts';
import { folderOf, index } from './courses.ts';

/** What `npm run cli -- publish-content` does to a stage, on the local DynamoDB and S3. */

const place = { region: 'eu-central-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
const occasion = {
  application: 'medinfo',
  actor: 'publish-content',
  requestId: 'r',
  realNow: new Date('2026-03-01T12:00:00.000Z'),
};
const later = { ...occasion, realNow: new Date('2026-03-02T12:00:00.000Z') };

let to: PublishDependencies & { readonly tables: ReturnType<typeof handlesNamed<'Courses'>> };
let close: () => Promise<void>;
let courses = 0;
let courseId = '';

beforeAll(async () => {
  const bucket = bucketModel('courses', { isVersioned: true, lock: { retention: null } });
  const [database, storage] = [await startDynamoDb(), await startS3({ region: place.region, buckets: [bucket] })];
  const dynamo = documentsOf(new DynamoDBClient({ ...place, endpoint: database.url }));
  const s3 = new S3Client({ ...place, endpoint: storage.url });
  const tables = await createTables(dynamo, ['Courses', 'AuditEvents', 'Questionnaires']);
  const who5 = { part: 'questionnaires', name: 'who-5', questionnaireId: 'who-5', version: '1.0' };
  await putRow(tables.Questionnaires, who5);
  to = { s3, bucket: 'courses', tables };
  close = async () => {
    dynamo.destroy();
    s3.destroy();
    await Promise.all([database.close(), storage.close()]);
  };
});
afterAll(() => close());
beforeEach(() => {
  courses += 1;
  courseId = `course-${courses}`;
});

async function draft(more: object = {}, files: Record<string, string> = {}) {
  const folder = await folderOf({ ...index, courseId, ...more }, files);
  const { course, faults } = await readCourseFolder(folder);
  await rm(folder, { recursive: true });
  if (!course) throw new Error(JSON.stringify(faults));
  return course;
}
const publish = async (more: object = {}, files: Record<string, string> = {}, when = occasion) =>
  publishCourse(to, await draft(more, files), when);

async function state() {
  const { client } = to.tables.Courses;
  const { Items: rows = [] } = await client.send(new ScanCommand({ TableName: 'Courses' }));
  const { Items: events = [] } = await client.send(new ScanCommand({ TableName: 'AuditEvents' }));
  const { Versions: objects = [] } = await to.s3.send(new ListObjectVersionsCommand({ Bucket: to.bucket }));
  return { rows, events, objects: objects.map(({ Key, VersionId }) => [Key, VersionId]) };
}

test('the version with its files, each under a hold, and one audit event', async () => {
  expect(await publish()).toBe(`${courseId} 1: published 2026-03-01T12:00:00.000Z`);
  const course = await readCurrent(to.tables.Courses, courseId);
  const film = course?.modules[0]?.units[1];
  expect(film?.media?.en).toEqual(film?.media?.de);
  const { Versions = [] } = await to.s3.send(new ListObjectVersionsCommand({ Bucket: to.bucket }));
  for (const { Key, VersionId } of Versions) {
    const held = await to.s3.send(new HeadObjectCommand({ Bucket: to.bucket, Key, VersionId }));
    expect([Key, held.ObjectLockLegalHoldStatus]).toEqual([Key, 'ON']);
  }
  const { events } = await state();
  expect(events.filter(({ subject }) => subject === `course/${courseId}/1`)).toMatchObject([
    { action: 'course.published', actor: 'publish-content' },
  ]);
});

test('a package has all of a module in a language, and no right answers', async () => {
  await publish();
  const course = await readCurrent(to.tables.Courses, courseId);
  const filesOf = async (module: number) => {
    const { key: Key = '', objectVersionId: VersionId } = course?.modules[module]?.packages[0]?.files.de ?? {};
    const { Body } = await to.s3.send(new GetObjectCommand({ Bucket: to.bucket, Key, VersionId }));
    return unzipSync((await Body?.transformToByteArray()) ?? new Uint8Array());
  };
  const files = await filesOf(0);
  expect(Object.keys(files).toSorted()).toEqual([
    ...['media/film.de.vtt', 'media/film.mp4', 'module.json', 'units/text.de.md'],
  ]);
  const named = JSON.parse(strFromU8(files['module.json'] ?? new Uint8Array()));
  expect(named).toMatchObject({ courseId, version: '1', locale: 'de', moduleId: 'one' });
  expect(named.units[1]).toMatchObject({ unlock: { after: `${courseId}.text` }, media: 'media/film.mp4' });
  const quiz = strFromU8((await filesOf(1))['module.json'] ?? new Uint8Array());
  expect(quiz).toContain('Welches?');
  expect(quiz).not.toMatch(/isCorrect|Es ist A/);
});

test('the same again changes nothing, whoever publishes and when', async () => {
  await publish();
  const before = await state();
  expect(await publish({}, {}, later)).toBe(`${courseId} 1: published 2026-03-01T12:00:00.000Z`);
  expect(await state()).toEqual(before);
});

test.each<[string, object, Record<string, string>]>([
  ['a title', { title: { en: 'Other', de: 'Andere' } }, {}],
  ['a text', {}, { 'units/text.de.md': '# Anders\n' }],
  ['media', {}, { 'media/film.mp4': '\0\0\0\x18ftypisom' }],
  ['a rule', { modules: index.modules.map((module) => ({ ...module, unlock: undefined })) }, {}],
])('a version that is published is never changed: %s', async (_what, more, files) => {
  await publish();
  const { rows, events } = await state();
  await expect(publish(more, files)).rejects.toThrow(`${courseId} 1 is published with other content`);
  const after = await state();
  expect([after.rows, after.events]).toEqual([rows, events]);
});

test('another version becomes the current one, and the first stays as it was', async () => {
  await publish();
  await publish({ version: '2' }, { 'units/text.en.md': '# New\n' }, later);
  expect((await readCurrent(to.tables.Courses, courseId))?.version).toBe('2');
  await publish();
  expect((await readCurrent(to.tables.Courses, courseId))?.version).toBe('2');
  const { courses: all } = await readCoursePage(to.tables.Courses, { limit: 100, after: null });
  expect(all.filter((course) => course.courseId === courseId).map(({ version }) => version)).toEqual(['2']);
});

test('of two that publish at once one wins, and the same content is nobody’s loss', async () => {
  const same = await Promise.all([publish(), publish({}, {}, later)]);
  expect(new Set(same).size).toBe(1);
  const other = await Promise.allSettled([
    publish({ version: '2' }, { 'units/text.en.md': '# One\n' }),
    publish({ version: '2' }, { 'units/text.en.md': '# Two\n' }),
  ]);
  expect(other.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a rule that waits for a questionnaire of no stage is published nowhere, and none of its files', async () => {
  const before = await state();
  const [one, two] = index.modules;
  const modules = [one, { ...two, unlock: { any: [{ questionnaire: 'who-5' }, { questionnaire: 'who-55' }] } }];
  await expect(publish({ modules }, { 'units/text.en.md': '# Other\n' })).rejects.toThrow('not published: who-55');
  expect(await state()).toEqual(before);
});

test('a version that is published between the reads of another and its transaction is what that one followed', async () => {
  await publish();
  const { client } = to.tables.Courses;
  let isFirst = true;
  const overtaken = Object.create(client, {
    send: {
      value: async (command: never) => {
        if ((command as object).constructor.name === 'TransactWriteCommand' && isFirst) {
          isFirst = false;
          await publish({ version: '2' });
        }
        return client.send(command);
      },
    },
  });
  await publishCourse(
    { ...to, tables: handlesNamed(overtaken, ['Courses', 'AuditEvents', 'Questionnaires']) },
    await draft({ version: '3' }),
    later,
  );
  const { events, rows } = await state();
  const third = events.find(({ subject }) => subject === `course/${courseId}/3`);
  expect(third).toMatchObject({ before: { version: '2' }, after: { version: '3' } });
  expect(rows.find(({ name }) => name === courseId)).toMatchObject({ version: '3', revision: 3 });
});

test('a file that somebody put without a hold is not relied on', async () => {
  const course = await draft({}, { 'units/text.en.md': `# ${courseId}\n` });
  const { bytes, sha256, contentType } = course.modules[0]?.units[0]?.text?.en ?? {};
  const [Bucket, Key] = [to.bucket, `files/${sha256}.md`];
  const ChecksumSHA256 = Buffer.from(sha256 ?? '', 'hex').toString('base64');
  const loose = await to.s3.send(
    new PutObjectCommand({ Bucket, Key, Body: bytes, ContentType: contentType, ChecksumSHA256 }),
  );
  await publishCourse(to, course, occasion);
  const published = await readCurrent(to.tables.Courses, courseId);
  const VersionId = published?.modules[0]?.units[0]?.text?.en?.objectVersionId;
  expect(VersionId).not.toBe(loose.VersionId);
  const held = await to.s3.send(new HeadObjectCommand({ Bucket, Key, VersionId }));
  expect(held.ObjectLockLegalHoldStatus).toBe('ON');
});

test('what broke off after any of its files is gone on with, and was no version before', async () => {
  const files = { 'units/text.en.md': `# ${courseId}\n` };
  let left = 2;
  const { s3 } = to;
  const breaking = Object.create(s3, {
    send: {
      value: async (command: never) => {
        if ((command as object).constructor.name === 'PutObjectCommand') {
          if (left === 0) throw new Error('broken off');
          left -= 1;
        }
        return s3.send(command);
      },
    },
  });
  const course = await draft({}, files);
  await expect(publishCourse({ ...to, s3: breaking }, course, occasion)).rejects.toThrow('broken off');
  expect(await readCurrent(to.tables.Courses, courseId)).toBeNull();
  expect(await publishCourse(to, course, later)).toBe(`${courseId} 1: published 2026-03-02T12:00:00.000Z`);
});
