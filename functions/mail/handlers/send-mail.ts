import { cognito } from '../../../lib/runtime/cognito.ts';
import { consumeQueue } from '../../../lib/runtime/consume.ts';
import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { describeError } from '../../../lib/runtime/log.ts';
import { ses } from '../../../lib/runtime/ses.ts';
import { invitationPages, mailSenders, secureAccountPages } from '../../product.ts';
import { findByEmail, readPoolUser, readProfile } from '../../users/exports.ts';
import { knownZone } from '../../users/rules.ts';
import { sendMail } from '../consumers.ts';
import { mailMetrics } from '../metrics.ts';
import type { QueuedMail } from '../rules/kinds.ts';
import { boardMessage, mailLanguages, written } from '../rules/render.ts';
import { fromHeader } from '../rules/sender.ts';
import { accountWith, hasStaffAccount, openInvitation, staffEmail } from '../stores/accounts.ts';
import { sendEmail } from '../stores/send-email.ts';
import { deliver } from '../workflows/deliver.ts';
import { notifyPhones } from '../workflows/notify-phones.ts';

/** From the fourth of five receives on, a mail goes out even if the board cannot be written. */
const mailWithoutBoardAt = 4;

const counters = { sent: mailMetrics.sent, limited: mailMetrics.limited } as const;

export const handler = consumeQueue(sendMail)(
  async ({ body, attributes }, { tables, secrets, userPool, mailFrom, mailTransport: transport, where, log, now }) => {
    const mail = JSON.parse(body) as QueuedMail;
    const outcome = await deliver(
      {
        table: tables.MailRecords,
        secret: secrets.MailKey,
        invitationPage: invitationPages[where.environment],
        secureAccountPage: secureAccountPages[mail.application][where.environment],
        now,
        addressee: async (userId) => {
          // Not the profile's address: several functions may write it, and this mail may be about what they did.
          const [profile, email] = await Promise.all([
            readProfile(tables.Users, userId),
            mail.application === 'sleepcare'
              ? readPoolUser(cognito(), userPool.id, userId).then((found) => found?.email ?? null)
              : staffEmail(tables.StaffAccounts, userId),
          ]);
          return email === null
            ? null
            : { email, locale: textOf(profile?.locale), timeZone: knownZone(profile?.timezone) };
        },
        invited: (staffId) => openInvitation(tables.StaffAccounts, staffId),
        // The other application's pool is out of this function's reach: the rows of the staff decide who they are.
        accountWith: async (application, email) => {
          if (application === 'sleepcare') return accountWith(cognito(), userPool.id, email);
          const profile = await findByEmail(tables.Users, application, email);
          return (await hasStaffAccount(tables.StaffAccounts, email, profile)) ? { isDisabled: false } : null;
        },
        localeOf: async (application, email) => textOf((await findByEmail(tables.Users, application, email))?.locale),
        notify: async (notice) => {
          // The other application has no agent board.
          if (mail.application !== 'sleepcare') return;
          const message = boardMessage(notice.kind, languageOf(notice.locale));
          await notifyPhones({ tables, now }, notice, message).catch((error: unknown) => {
            // The mail does not wait for the board for good.
            if (Number(attributes.ApproximateReceiveCount) < mailWithoutBoardAt) throw error;
            log({ level: 'WARN', message: 'phones are not notified', kind: notice.kind, error: describeError(error) });
          });
        },
        send: async ({ kind, email, locale, timeZone, values }) => {
          const language = languageOf(locale);
          const sender = mailSenders[mail.application];
          const text = written(kind, sender, { language, timeZone }, values);
          const from = fromHeader(sender.name, mailFrom);
          const isTaken = await sendEmail(ses(), { from, transport, to: email, mail: text });
          if (!isTaken) log({ level: 'WARN', message: 'SES refuses a mail for good', kind });
        },
      },
      mail,
    );
    const counter = outcome === 'sent' || outcome === 'limited' ? counters[outcome] : mailMetrics.skipped;
    log({ level: 'INFO', message: 'mail', kind: mail.kind, outcome }, { [counter]: 1 });
  },
);

function languageOf(locale: string | null) {
  const wanted = chooseLanguage(mailLanguages, mailLanguages[0], locale ?? undefined, undefined);
  return mailLanguages.find((each) => each === wanted) ?? mailLanguages[0];
}

/** Others may write a profile: it keeps no mail from its owner. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
