/** The countries for which something is known, and the time zones of phones in them, with the older names of the zones. */

/** Countries whose emergency number is 112. The source is beside the number (`emergency112`). */
const zonesOf112: Readonly<Record<string, readonly string[]>> = {
  AD: ['Europe/Andorra'],
  AT: ['Europe/Vienna'],
  AX: ['Europe/Mariehamn'],
  BE: ['Europe/Brussels'],
  BG: ['Europe/Sofia'],
  CH: ['Europe/Zurich'],
  CY: ['Asia/Nicosia', 'Europe/Nicosia'],
  CZ: ['Europe/Prague'],
  DE: ['Europe/Berlin', 'Europe/Busingen'],
  DK: ['Europe/Copenhagen'],
  EE: ['Europe/Tallinn'],
  ES: ['Europe/Madrid', 'Atlantic/Canary', 'Africa/Ceuta'],
  FI: ['Europe/Helsinki'],
  FR: ['Europe/Paris'],
  GR: ['Europe/Athens'],
  HR: ['Europe/Zagreb'],
  HU: ['Europe/Budapest'],
  IE: ['Europe/Dublin'],
  IS: ['Atlantic/Reykjavik'],
  IT: ['Europe/Rome'],
  LI: ['Europe/Vaduz'],
  LT: ['Europe/Vilnius'],
  LU: ['Europe/Luxembourg'],
  LV: ['Europe/Riga'],
  MC: ['Europe/Monaco'],
  MT: ['Europe/Malta'],
  NL: ['Europe/Amsterdam'],
  NO: ['Europe/Oslo', 'Arctic/Longyearbyen'],
  PL: ['Europe/Warsaw'],
  PT: ['Europe/Lisbon', 'Atlantic/Madeira', 'Atlantic/Azores'],
  RO: ['Europe/Bucharest'],
  SE: ['Europe/Stockholm'],
  SI: ['Europe/Ljubljana'],
  SK: ['Europe/Bratislava'],
  SM: ['Europe/San_Marino'],
  VA: ['Europe/Vatican'],
};

const under = (area: string, names: string) => names.split(' ').map((name) => `${area}/${name}`);

/** Not in it: Jersey, Guernsey and the Isle of Man (their zones have their own names), and the territories of the United States. */
const otherZones: Readonly<Record<string, readonly string[]>> = {
  GB: ['Europe/London', 'Europe/Belfast'],
  US: [
    ...under('America', 'New_York Detroit Chicago Menominee Denver Boise Phoenix Los_Angeles'),
    ...under('America', 'Anchorage Juneau Sitka Metlakatla Yakutat Nome Adak'),
    ...under('America/Kentucky', 'Louisville Monticello'),
    ...under('America/Indiana', 'Indianapolis Vincennes Winamac Marengo Petersburg Vevay Tell_City Knox'),
    ...under('America/North_Dakota', 'Center New_Salem Beulah'),
    ...under('America', 'Louisville Indianapolis Fort_Wayne Knox_IN Shiprock Atka'),
    ...under(
      'US',
      'Alaska Aleutian Arizona Central East-Indiana Eastern Hawaii Indiana-Starke Michigan Mountain Pacific',
    ),
    'Pacific/Honolulu',
  ],
  CA: [
    ...under('America', 'St_Johns Halifax Glace_Bay Moncton Goose_Bay Blanc-Sablon Toronto Iqaluit Atikokan Winnipeg'),
    ...under('America', 'Resolute Rankin_Inlet Regina Swift_Current Edmonton Cambridge_Bay Inuvik Creston'),
    ...under('America', 'Dawson_Creek Fort_Nelson Whitehorse Dawson Vancouver'),
    ...under('America', 'Montreal Nipigon Thunder_Bay Rainy_River Pangnirtung Yellowknife Coral_Harbour'),
    ...under('Canada', 'Atlantic Central Eastern Mountain Newfoundland Pacific Saskatchewan Yukon'),
  ],
  AU: [
    ...under(
      'Australia',
      'Adelaide Brisbane Broken_Hill Darwin Eucla Hobart Lindeman Lord_Howe Melbourne Perth Sydney',
    ),
    ...under('Australia', 'ACT Canberra Currie LHI NSW North Queensland South Tasmania Victoria West Yancowinna'),
    'Antarctica/Macquarie',
  ],
};

const zones = { ...zonesOf112, ...otherZones };

const countryByZone = new Map(
  Object.entries(zones).flatMap(([country, names]) => names.map((zone) => [zone.toLowerCase(), country])),
);

/** ISO 3166-1; null: nothing is known of the place. */
export function countryOfZone(zone: string): string | null {
  return countryByZone.get(zone.toLowerCase()) ?? null;
}

export function has112(country: string): boolean {
  return Object.hasOwn(zonesOf112, country);
}

/** `UTC`, `Etc/GMT+1` and `CET` name no place. */
export function saysPlace(zone: string | null): zone is string {
  return zone?.includes('/') === true && !/^etc\//i.test(zone);
}
