import type { Version } from '../../agreements/rules.ts';
import type { Shown } from './consent.ts';

/** Chooses one of the `available` languages for the user if the request does not state one of them. */
type Choose = (available: readonly string[], fallback: string, wanted: string | undefined) => string;

/** What the app states that it showed. If it states nothing, it showed the language that the list negotiates. */
export function shownOf(
  version: Version,
  stated: { locale?: string | undefined; appVersion?: string | undefined } | undefined,
  choose: Choose,
): Shown {
  const available = Object.keys(version.locales);
  const wanted = stated?.locale;
  const exact = available.find((tag) => tag.toLowerCase() === wanted?.toLowerCase());
  const locale = exact ?? choose(available, version.defaultLocale, wanted);
  const contentHash = version.locales[locale]?.contentHash ?? '';
  return {
    versionId: version.versionId,
    contentHash,
    locale,
    localeSource: exact ? 'stated' : 'negotiated',
    appVersion: stated?.appVersion ?? null,
  };
}
