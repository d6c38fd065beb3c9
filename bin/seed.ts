import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { SNSClient } from '@aws-sdk/client-sns';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { seedAccessCodes } from '../functions/access-codes/seed/seed.ts';
import { seedCatalogues } from '../functions/agreements/seed/seed.ts';
import { seedPolicies } from '../functions/app-version/seed/seed.ts';
import { seedSite } from '../functions/crm-sites/seed/seed.ts';
import { seedDevices } from '../functions/devices/seed/seed.ts';
import { seedCourses } from '../functions/learning/seed/seed.ts';
import { seedSettings } from '../functions/mobile-settings/seed/seed.ts';
import { environments, rolePlaces, seededUsers } from '../functions/product.ts';
import { seedQuestionnaires } from '../functions/questionnaires/seed/seed.ts';
import { seedKeys } from '../functions/receipts/seed/seed.ts';
import { seedDiary } from '../functions/sleep/seed/seed.ts';
import { seedStaff } from '../functions/staff/seed/seed.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import { readRing } from '../lib/contract/key-ring.ts';
import { rolesOf } from '../lib/contract/roles.ts';
import type { DataAccess } from '../lib/local/index.ts';

/** Writes the seeds of all domains into a local stage. Running it again changes nothing. */
export async function seed(data: DataAccess): Promise<void> {
  const { region, credentials } = data;
  const place = placeOf(data);
  await seedCatalogues(place);
  await seedPolicies(place.dynamo, place.tables);
  await seedSettings(place.dynamo, place.tables);
  const ofCodes = {
    AccessCodeBatches: data.tables('AccessCodeBatches'),
    AccessCodes: data.tables('AccessCodes'),
    IssuedAccessCodes: data.tables('IssuedAccessCodes'),
  };
  await seedAccessCodes({
    dynamo: place.dynamo,
    tables: ofCodes,
    secret: readRing(data.secrets('AccessCodeKey'), 'AccessCodeKey'),
  });
  await seedQuestionnaires(place);
  await seedCourses({ ...place, bucket: place.courseFiles });
  const kms = new KMSClient({ endpoint: data.kmsEndpoint, region, credentials });
  await seedKeys({
    evidence: { s3: place.s3, bucket: data.buckets('Evidence') },
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
    const names = { Devices: data.tables('Devices'), DeviceTokens: data.tables('DeviceTokens') };
    const applications = data.platformApplications();
    await seedDevices({ dynamo: place.dynamo, sns }, names, { userId, applications });
    sns.destroy();
    await seedDiary(place.dynamo, data.tables('SleepEntries'), userId);
  }
  const physicianId = data.seededUserId('medinfo', 'physician@example.com');
  if (physicianId) await seedSite(place.dynamo, place.siteTables, { userId: physicianId });
  place.dynamo.destroy();
  place.s3.destroy();
  await seedMembers(data);
}

/** The rows without which the seeded members of staff may do nothing. */
export async function seedMembers(data: DataAccess): Promise<void> {
  const { dynamo: client, s3, staffTables: tables } = placeOf(data);
  await seedStaff({ client, tables }, staffOf(data));
  client.destroy();
  s3.destroy();
}

/** The members of staff who can sign in from the start. A role that the environment does not have is left out. */
function staffOf({ environment, seededUserId }: DataAccess) {
  const known = rolesOf(rolePlaces, 'medinfo', environmentNamed(environments, environment()));
  return seededUsers.flatMap(({ application, name, roles }) => {
    const userId = application === 'medinfo' ? seededUserId(application, name) : null;
    return userId ? [{ userId, email: name, roles: known.filter((role) => roles.includes(role)) }] : [];
  });
}

/** The clients, tables and buckets for the local stage's catalogue and policies. */
export function placeOf({ endpoint, s3Endpoint, region, credentials, tables, buckets }: DataAccess) {
  return {
    dynamo: DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials })),
    s3: new S3Client({ endpoint: s3Endpoint, region, credentials, forcePathStyle: true }),
    tables: {
      Agreements: tables('Agreements'),
      AppVersionPolicies: tables('AppVersionPolicies'),
      AuditEvents: tables('AuditEvents'),
      MobileSettings: tables('MobileSettings'),
      Questionnaires: tables('Questionnaires'),
      Courses: tables('Courses'),
    },
    siteTables: {
      Sites: tables('Sites'),
      Staff: tables('Staff'),
      SiteStaff: tables('SiteStaff'),
      StaffDirectory: tables('StaffDirectory'),
      AuditEvents: tables('AuditEvents'),
      IdempotencyKeys: tables('IdempotencyKeys'),
    },
    staffTables: {
      StaffAccounts: tables('StaffAccounts'),
      StaffDirectory: tables('StaffDirectory'),
      AuditEvents: tables('AuditEvents'),
    },
    bucket: buckets('AgreementContents'),
    courseFiles: buckets('CourseFiles'),
  };
}
