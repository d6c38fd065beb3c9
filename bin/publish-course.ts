import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readCourseFolder } from '../functions/learning/jobs/course-folder.ts';
import { previewOf, publishCourse } from '../functions/learning/jobs/publish-course.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run publish-course -- --stage dev --file sleep-basics`: publishes the course of a folder, or of the `course.json` in it, on
 * a deployed stage, with the shell's AWS credentials and region, or with `--local` on the running local one. `--dry-run` publishes
 * nothing and needs no stage. Each fault is named with its file and line. Publishing a version again changes nothing; with other
 * content it is an error. The audit event names `publish-course`; AWS CloudTrail shows who ran it.
 */

const usage = 'npm run publish-course -- --file folder and --stage dev|staging|prod, --local or --dry-run';

/** A film takes longer than a text. */
const s3Limits = { maxAttempts: 3, requestHandler: { connectionTimeout: 2000, requestTimeout: 120_000 } };

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      local: { type: 'boolean' },
      file: { type: 'string' },
      'dry-run': { type: 'boolean' },
    },
  });
  if (!values.file) throw new Error(usage);
  const folder = (await stat(values.file)).isDirectory() ? values.file : dirname(values.file);
  const { course, faults } = await readCourseFolder(folder);
  if (!course) {
    throw new Error(faults.map(({ file, line, message }) => `${join(folder, file)}:${line}: ${message}`).join('\n'));
  }
  if (values['dry-run']) {
    for (const line of previewOf(course)) console.log(line);
  } else {
    const access = await stageAccess(values);
    const place = {
      dynamo: DynamoDBDocumentClient.from(new DynamoDBClient({ ...commandLimits, ...access.client('dynamodb') })),
      s3: new S3Client({ ...s3Limits, ...access.client('s3') }),
      bucket: await access.outputs('CourseFilesBucketName'),
      tables: {
        Courses: await access.outputs('CoursesTableName'),
        AuditEvents: await access.outputs('AuditEventsTableName'),
        Questionnaires: await access.outputs('QuestionnairesTableName'),
      },
    };
    const realNow = new Date();
    const occasion = { application: 'medinfo', actor: 'publish-course', requestId: randomUUID(), realNow };
    console.log(await publishCourse(place, course, occasion));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
