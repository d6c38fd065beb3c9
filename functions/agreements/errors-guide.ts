import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  AgreementNotFound: {
    when: 'The application has no agreement with this id. An agreement of the other application counts as none.',
    client: 'Read the list of agreements again.',
  },
  AgreementVersionNotFound: {
    when: 'The application has no agreement version with this id.',
    client: 'Read the list of agreements again.',
  },
  AgreementVersionPublished: {
    when: 'A published or withdrawn version was to get other texts or another `effectiveFrom`. Nothing was changed.',
    client: 'Draft a new version; what users were shown stays as it was.',
  },
  AgreementVersionNotPublished: {
    when: 'A draft was to be withdrawn. Nothing was changed.',
    client: 'Leave the draft: nobody can see it or agree to it.',
  },
  AgreementLimitReached: {
    when: 'The application has 100 agreements. Nothing was changed.',
    client: 'Publish a new version of an agreement that is there.',
  },
  AgreementContentIncomplete: {
    when:
      'A version was to be published of which a text was not uploaded (`missing`), is not the one whose hash the ' +
      'version declares (`mismatch`), or has more than 10 MB (`tooLarge`). Nothing was changed.',
    client: 'Upload what `detail.locales` names, and publish again.',
    example: { locales: [{ locale: 'de', problem: 'missing' }] },
  },
  AgreementContentNotFound: {
    when: 'The version is a draft, or has no text in the `locale`; a consent record names one that it has.',
    client: "Ask with the record's own `locale`, or without one for the version's default.",
  },
};
