import type { IvmsProblem } from './ivms101Fields';

/** Constraints of IVMS101 that span fields, as values: what is wrong, at which field, under which of the API's names. */

interface NationalId {
  nationalIdentifier: string;
  nationalIdentifierType: string;
  countryOfIssue?: string | undefined;
  registrationAuthority?: string | undefined;
}

/** C9 to C11, of a legal person (field case TR-04). */
export function nationalIdProblem(id: NationalId): (IvmsProblem | false)[] {
  const lei = id.nationalIdentifierType === 'LEIX';
  const { registrationAuthority: authority } = id;
  return [
    id.countryOfIssue !== undefined && {
      path: ['countryOfIssue'],
      message: 'is for natural persons only',
      params: { error: 'not_required' },
    },
    lei &&
      authority !== undefined && {
        path: ['registrationAuthority'],
        message: 'has to be left out with an LEI',
        params: { error: 'not_required' },
      },
    !lei &&
      authority === undefined && {
        path: ['registrationAuthority'],
        message: 'is required without an LEI',
        params: { error: 'required' },
      },
    authority !== undefined &&
      !/^RA\d{6}$/.test(authority) && {
        path: ['registrationAuthority'],
        message: 'needs RA and six digits',
        params: { error: 'pattern_mismatch' },
      },
    lei &&
      !isLei(id.nationalIdentifier) && {
        path: ['nationalIdentifier'],
        message: 'is no LEI: 18 letters or digits and two check digits are needed (ISO 17442)',
        params: { error: 'pattern_mismatch' },
      },
  ];
}

/** ISO 17442: letters count from 10, and the whole is 1 modulo 97. */
function isLei(text: string): boolean {
  if (!/^[A-Z\d]{18}\d{2}$/.test(text)) return false;
  const digits = Array.from(text, (character) => Number.parseInt(character, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

interface Address {
  addressLine?: string[] | undefined;
  streetName?: string | undefined;
  buildingName?: string | undefined;
  buildingNumber?: string | undefined;
}

/** C8. */
export function hasFullAddress({ addressLine = [], streetName, buildingName, buildingNumber }: Address): boolean {
  return addressLine.length > 0 || (streetName !== undefined && (buildingName ?? buildingNumber) !== undefined);
}

/** C2. Of a date of the form YYYY-MM-DD; a date later than today anywhere is none of a birth. */
export function isPast(date: string): boolean {
  return Date.parse(date) <= Date.now();
}
