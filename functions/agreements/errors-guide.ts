import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  AgreementNotFound: {
    when: 'The application has no agreement with this id. An agreement of the other application is not found either.',
    client: 'Read the list of agreements again.',
  },
  AgreementVersionNotFound: {
    when: 'The application has no agreement version with this id.',
    client: 'Read the list of agreements again.',
  },
  AgreementVersionPublished: {
    when: 'A published or withdrawn version cannot get other texts or another `effectiveFrom`. Nothing was changed.',
    client: 'Draft a new version: the texts that users have seen cannot change.',
  },
  AgreementVersionNotPublished: {
    when: 'A draft cannot be withdrawn. Nothing was changed.',
    client: 'Leave the draft: nobody can see it or agree to it.',
  },
  AgreementLimitReached: {
    when: 'The application has 100 agreements. Nothing was changed.',
    client: 'Publish a new version of an existing agreement.',
  },
  AgreementContentIncomplete: {
    when: 'The version to be published has a text that was not uploaded (`missing`), does not match the hash that the version declares (`mismatch`), or has more than 10 MB (`tooLarge`). Nothing was changed.',
    client: 'Upload the texts that `detail.locales` names, and publish again.',
    example: { locales: [{ locale: 'de', problem: 'missing' }] },
  },
  AgreementContentNotFound: {
    when: 'The version is a draft, or has no text in this `locale`. A consent record names a locale that the version has.',
    client: "Send the `locale` of the record, or none for the version's default.",
  },
};
