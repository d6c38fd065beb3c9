import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { consumeQueue } from '../../../lib/runtime/consume.ts';
import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { ses } from '../../../lib/runtime/ses.ts';
import { findByEmail, readPoolUser, readProfile } from '../../users/exports.ts';
import { sendMail } from '../consumers.ts';
import { mailMetrics } from '../metrics.ts';
import type { QueuedMail } from '../rules/kinds.ts';
import { mailLanguages, written } from '../rules/render.ts';
import { hasAccount, staffEmail } from '../stores/accounts.ts';
import { sendEmail } from '../stores/send-email.ts';
import { deliver } from '../workflows/deliver.ts';

const counters = { sent: mailMetrics.sent, limited: mailMetrics.limited } as const;

export const handler = consumeQueue(sendMail)(async ({ body }, { tables, secrets, userPool, mailFrom, log, now }) => {
  const mail = JSON.parse(body) as QueuedMail;
  const outcome = await deliver(
    {
      dynamo: dynamo(),
      table: tables.MailRecords,
      secret: secrets.MailKey,
      now,
      addressee: async (userId) => {
        const profile = await readProfile(dynamo(), tables.Users, userId);
        if (profile?.email) return { email: profile.email, locale: profile.locale };
        // A member of staff has a profile only from the first look at it on.
        const email = await staffEmail(dynamo(), tables.StaffAccounts, userId);
        if (email !== null) return { email, locale: profile?.locale ?? null };
        const known = profile ? await readPoolUser(cognito(), userPool.id, profile.username) : null;
        return known?.email ? { email: known.email, locale: profile?.locale ?? null } : null;
      },
      hasAccount: (email) => hasAccount(cognito(), userPool.id, email),
      localeOf: async (application, email) =>
        (await findByEmail(dynamo(), tables.Users, application, email))?.locale ?? null,
      send: async ({ kind, email, locale, values }) => {
        const wanted = chooseLanguage(mailLanguages, mailLanguages[0], locale ?? undefined, undefined);
        const language = mailLanguages.find((each) => each === wanted) ?? mailLanguages[0];
        const isTaken = await sendEmail(ses(), { from: mailFrom, to: email, mail: written(kind, language, values) });
        if (!isTaken) log({ level: 'WARN', message: 'SES refuses a mail for good', kind });
      },
    },
    mail,
  );
  const counter = outcome === 'sent' || outcome === 'limited' ? counters[outcome] : mailMetrics.skipped;
  log({ level: 'INFO', message: 'mail', kind: mail.kind, outcome }, { [counter]: 1 });
});
