import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { AuditEvents } from '../functions/audit/tables.ts';
import { readCourseFolder } from '../functions/learning/jobs/course-folder.ts';
import { previewOf, publishCourse } from '../functions/learning/jobs/publish-course.ts';
import { Courses } from '../functions/learning/tables.ts';
import { Questionnaires } from '../functions/questionnaires/tables.ts';
import { type StageArguments, stageAccess } from './stage-access.ts';
import { stageTables } from './stage-tables.ts';

type Options = StageArguments & { readonly file: string; readonly dryRun: boolean };

/** A film takes longer than a text. */
const s3Limits = { maxAttempts: 3, requestHandler: { connectionTimeout: 2000, requestTimeout: 120_000 } };

export async function run({ file, dryRun, ...options }: Options): Promise<void> {
  const folder = (await stat(file)).isDirectory() ? file : dirname(file);
  const { course, faults } = await readCourseFolder(folder);
  if (!course) {
    throw new Error(
      faults.map(({ file: name, line, message }) => `${join(folder, name)}:${line}: ${message}`).join('\n'),
    );
  }
  if (dryRun) {
    for (const line of previewOf(course)) console.log(line);
  } else {
    const access = await stageAccess(options);
    const deps = {
      s3: new S3Client({ ...s3Limits, ...access.client('s3') }),
      bucket: await access.outputs('CourseFilesBucketName'),
      tables: await stageTables(access, [Courses, AuditEvents, Questionnaires]),
    };
    const realNow = new Date();
    const occasion = { application: 'medinfo', actor: 'publish-course', requestId: randomUUID(), realNow };
    console.log(await publishCourse(deps, course, occasion));
  }
}
