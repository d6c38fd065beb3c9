import { fhirBase } from '../../questionnaires/rules.ts';
import { concept } from './resource.ts';

/**
 * What the measures of a night are called. The LOINC codes are those that HL7's implementation guide Personal Health Records names
 * for sleep: http://hl7.org/fhir/uv/phr/ValueSet/pcd-sleep-observation-code. For the others no LOINC code is known to us: they
 * have a code system of ours, which docs/domains/fhir.md lists.
 */

const loinc = {
  '93832-4': 'Sleep duration',
  '93831-6': 'Deep sleep duration',
  '93830-8': 'Light sleep duration',
  '93829-0': 'REM sleep duration',
} as const;

export const sleepCodeSystem = `${fhirBase}/CodeSystem/sleep`;

export const ownCodes = {
  'time-in-bed': 'Time in bed (TIB)',
  'sleep-onset-latency': 'Sleep onset latency (SOL)',
  'wake-after-sleep-onset': 'Wake after sleep onset (WASO)',
  awakenings: 'Number of awakenings',
  'trying-to-sleep-after-final-awakening': 'Time attempting to sleep after the final awakening (TASAFA)',
  'sleep-efficiency': 'Sleep efficiency: total sleep time divided by time in bed',
  'sleep-episode-efficiency': 'Sleep efficiency: total sleep time divided by the duration of the sleep episode (DSE)',
  'sleep-quality': 'Sleep quality, from 1 (very poor) to 5 (very good)',
  'lights-off': 'When the patient began to try to sleep',
  'final-awakening': 'Final awakening',
  naps: 'Number of naps',
  'nap-duration': 'Total duration of naps',
  'total-sleep-24h': 'Total sleep time of 24 hours: the night and the naps',
  'nodded-off': 'Nodded off, or nearly, in a dangerous situation',
  notes: "The patient's notes about the night",
  awake: 'Time awake, as a device recorded it',
  'in-bed': 'Time in bed, as a device recorded it',
  'asleep-unspecified': 'Time asleep without a stage, as a device recorded it',
} as const;

export function loincCode(code: keyof typeof loinc) {
  return concept('http://loinc.org', code, loinc[code]);
}

export type OwnCode = keyof typeof ownCodes;

export function ownCode(code: OwnCode) {
  return concept(sleepCodeSystem, code, ownCodes[code]);
}

/** By UCUM. */
const units = { min: 'min', '%': '%', '1': '1' } as const;

export function quantity(value: number, code: keyof typeof units) {
  return { valueQuantity: { value, unit: units[code], system: 'http://unitsofmeasure.org', code } };
}

const categories = { survey: 'Survey', activity: 'Activity' } as const;

export function observationCategory(code: keyof typeof categories) {
  return [concept('http://terminology.hl7.org/CodeSystem/observation-category', code, categories[code])];
}
