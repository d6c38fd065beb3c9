import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  AgreementNotFound: {
    when: 'The application has no agreement with this id. An agreement of the other application gives the same answer.',
    client: 'Read the list of agreements again.',
  },
  AgreementVersionNotFound: {
    when: 'The application has no agreement version with this id.',
    client: 'Read the list of agreements again.',
  },
  AgreementVersionPublished: {
    when: 'The version is published or withdrawn, so its texts and its `effectiveFrom` cannot change. Nothing was changed.',
    client: 'Draft a new version. Texts that users have seen cannot change.',
  },
  AgreementVersionNotPublished: {
    when: 'A draft cannot be withdrawn. Nothing was changed.',
    client: 'Do nothing: users cannot see a draft or agree to it.',
  },
  AgreementLimitReached: {
    when: 'The application has 100 agreements. Nothing was changed.',
    client: 'Publish a new version of an existing agreement.',
  },
  AgreementContentIncomplete: {
    when:
      'A text of the version was not uploaded (`missing`), is not given out where files are scanned for malware, as it is not scanned ' +
      'yet, not found clean or not there (`unscanned`), does not match the declared hash (`mismatch`), has more than 10 MB ' +
      '(`tooLarge`), is not what its type says (`wrongType`), or has what may run, load or lead elsewhere (`active`). For the last ' +
      'two, `message` says where. What a text may have is in docs/conventions.md, Files. Nothing was changed.',
    client:
      'Upload the texts that are `missing` or `tooLarge`, and publish again. Wait a minute where one is `unscanned`; if it stays so, ' +
      'upload it again. A text with another problem needs another draft, since ' +
      'the draft declares its hash.',
    example: {
      locales: [
        { locale: 'de', problem: 'missing' },
        {
          locale: 'en',
          problem: 'active',
          message: 'line 12 has <script>, which is none of the tags that an agreement may have',
        },
      ],
    },
  },
  AgreementContentNotFound: {
    when: 'The version is a draft, or has no text in this `locale`. The `locale` of a consent record always has a text.',
    client: "Send the `locale` of the record. Without a `locale` the answer has the version's default text.",
  },
};
