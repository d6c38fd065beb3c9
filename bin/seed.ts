import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { SNSClient } from '@aws-sdk/client-sns';
import { Staff } from '../functions/access/data-subject.ts';
import { seedAccessCodes } from '../functions/access-codes/seed/seed.ts';
import { AccessCodeBatches, AccessCodes, IssuedAccessCodes } from '../functions/access-codes/tables.ts';
import { seedCatalogues } from '../functions/agreements/seed/seed.ts';
import { Agreements } from '../functions/agreements/tables.ts';
import { seedPolicies } from '../functions/app-version/seed/seed.ts';
import { AppVersionPolicies } from '../functions/app-version/tables.ts';
import { AuditEvents } from '../functions/audit/tables.ts';
import { seedSite } from '../functions/crm-sites/seed/seed.ts';
import { SiteStaff, Sites } from '../functions/crm-sites/tables.ts';
import { StaffDirectory } from '../functions/crm-users/tables.ts';
import { seedDevices } from '../functions/devices/seed/seed.ts';
import { Devices, DeviceTokens } from '../functions/devices/tables.ts';
import { IdempotencyKeys } from '../functions/idempotency/tables.ts';
import { seedCourses } from '../functions/learning/seed/seed.ts';
import { Courses } from '../functions/learning/tables.ts';
import { seedSettings } from '../functions/mobile-settings/seed/seed.ts';
import { MobileSettings } from '../functions/mobile-settings/tables.ts';
import { environments, roleScopes, seededUsers } from '../functions/product.ts';
import { seedQuestionnaires } from '../functions/questionnaires/seed/seed.ts';
import { Questionnaires } from '../functions/questionnaires/tables.ts';
import { seedKeys } from '../functions/receipts/seed/seed.ts';
import { seedDiary } from '../functions/sleep/seed/seed.ts';
import { SleepEntries } from '../functions/sleep/tables.ts';
import { seedStaff } from '../functions/staff/seed/seed.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import { readRing } from '../lib/contract/key-ring.ts';
import { rolesOf } from '../lib/contract/roles.ts';
import { StaffAccounts } from '../lib/contract/staff-accounts.ts';
import type { DataAccess } from '../lib/local/index.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { handlesOf } from '../lib/runtime/table-handle.ts';

/** Writes the seeds of all domains into a local stage. Running it again changes nothing. */
export async function seed(data: DataAccess): Promise<void> {
  const { region, credentials } = data;
  const deps = dependenciesOf(data);
  await seedCatalogues(deps);
  await seedPolicies(deps.tables);
  await seedSettings(deps.tables);
  await seedAccessCodes({
    tables: deps.tables,
    secret: readRing(data.secrets('AccessCodeKey'), 'AccessCodeKey'),
  });
  await seedQuestionnaires(deps);
  await seedCourses({ ...deps, bucket: deps.courseFiles });
  const kms = new KMSClient({ endpoint: data.kmsEndpoint, region, credentials });
  await seedKeys({
    evidence: { s3: deps.s3, bucket: data.buckets('Evidence') },
    kms,
    environment: data.environment(),
    vouchingKeyArns: [data.signingKeys('VouchingKey')],
    receiptKeyArns: [data.signingKeys('ReceiptKey')],
    manifestKeyArns: [data.signingKeys('ResearchManifestKey')],
  });
  kms.destroy();
  const userId = data.seededUserId('sleepcare', 'patient@example.com');
  if (userId) {
    const sns = new SNSClient({ endpoint: data.snsEndpoint, region, credentials });
    const applications = data.platformApplications();
    await seedDevices({ sns }, deps.tables, { userId, applications });
    sns.destroy();
    await seedDiary(deps.tables.SleepEntries, userId);
  }
  const physicianId = data.seededUserId('medinfo', 'physician@example.com');
  if (physicianId) await seedSite(deps.tables, { userId: physicianId });
  deps.dynamo.destroy();
  deps.s3.destroy();
  await seedMembers(data);
}

/** The rows without which the seeded members of staff may do nothing. */
export async function seedMembers(data: DataAccess): Promise<void> {
  const { dynamo, s3, tables } = dependenciesOf(data);
  await seedStaff({ tables }, staffOf(data));
  dynamo.destroy();
  s3.destroy();
}

/** The members of staff who can sign in from the start. A role that the environment does not have is left out. */
function staffOf({ environment, seededUserId }: DataAccess) {
  const known = rolesOf(roleScopes, 'medinfo', environmentNamed(environments, environment()));
  return seededUsers.flatMap(({ application, name, roles }) => {
    const userId = application === 'medinfo' ? seededUserId(application, name) : null;
    return userId ? [{ userId, email: name, roles: known.filter((role) => roles.includes(role)) }] : [];
  });
}

const seeded = [
  AccessCodeBatches,
  AccessCodes,
  Agreements,
  AppVersionPolicies,
  AuditEvents,
  Courses,
  DeviceTokens,
  Devices,
  IdempotencyKeys,
  IssuedAccessCodes,
  MobileSettings,
  Questionnaires,
  SiteStaff,
  Sites,
  SleepEntries,
  Staff,
  StaffAccounts,
  StaffDirectory,
] as const;

/** The clients, tables and buckets of a local stage that the seeds write. */
export function dependenciesOf({ endpoint, s3Endpoint, region, credentials, tables, buckets }: DataAccess) {
  const dynamo = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  return {
    dynamo,
    s3: new S3Client({ endpoint: s3Endpoint, region, credentials, forcePathStyle: true }),
    tables: handlesOf(
      seeded,
      ({ name }) => tables(name),
      () => dynamo,
    ),
    bucket: buckets('AgreementContents'),
    courseFiles: buckets('CourseFiles'),
  };
}
