import type { Version } from '../../agreements/rules/catalogue.ts';
import type { Shown } from './consent.ts';

/** The language in `available` that the user reads, if the request states none. */
type Choose = (available: readonly string[], fallback: string, wanted: string | undefined) => string;

/** What the app says that it showed; an app that says nothing shows what the list negotiates. */
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
