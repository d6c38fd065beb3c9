import { languagesWithoutWording } from '../../questionnaires/rules.ts';
import { programmeContents } from '../../sleep/rules.ts';

/** Which programmes cannot be published, because an instrument that guards their sleep windows has no wording. Pure. */

type Definition = NonNullable<Parameters<typeof languagesWithoutWording>[0]>;

export type GateProblem = {
  readonly programmeId: string;
  readonly questionnaireId: string;
  readonly languages: readonly string[];
};

/** The instruments of all gates, each once. */
export const gateInstruments: readonly string[] = [
  ...new Set(Object.values(programmeContents).flatMap(({ gate }) => gate)),
];

/** @param definitions the current version of each instrument; one that is not there is not published */
export function gateProblems(definitions: ReadonlyMap<string, Definition>): GateProblem[] {
  return Object.entries(programmeContents).flatMap(([programmeId, { gate }]) =>
    gate.flatMap((questionnaireId) => {
      const languages = languagesWithoutWording(definitions.get(questionnaireId) ?? null);
      return languages.length > 0 ? [{ programmeId, questionnaireId, languages }] : [];
    }),
  );
}
