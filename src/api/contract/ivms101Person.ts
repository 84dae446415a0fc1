import { z } from 'zod';
import { code, countryCode, report, text } from './ivms101Fields';
import { hasFullAddress, isPast, nationalIdProblem } from './ivms101Rules';

/** Natural and legal persons of IVMS101: lengths, code lists and constraints C1 to C11 of the standard. */

const NATURAL_NAME_TYPES = ['ALIA', 'BIRT', 'MAID', 'LEGL', 'MISC'] as const;
const LEGAL_NAME_TYPES = ['LEGL', 'SHRT', 'TRAD'] as const;
const ADDRESS_TYPES = ['HOME', 'BIZZ', 'GEOG'] as const;
const NATURAL_ID_TYPES = ['ARNU', 'CCPT', 'RAID', 'DRLC', 'FIIN', 'TXID', 'SOCS', 'IDCD', 'LEIX', 'MISC'] as const;

const address = z
  .object({
    addressType: code(ADDRESS_TYPES, 'Type of the address: HOME, BIZZ (business) or GEOG (type unknown)'),
    department: text(50, 'Department of a large organization', 'Treasury').optional(),
    subDepartment: text(70, 'Part of the department', 'Payments').optional(),
    streetName: text(70, 'Street, without the number', 'Rue de la Paix').optional(),
    buildingNumber: text(16, 'Number in the street', '12b').optional(),
    buildingName: text(35, 'Name of the building, instead of a number or in addition to it', 'Tour Nord').optional(),
    floor: text(70, 'Floor of the building', '3').optional(),
    postBox: text(16, 'Number of a post-office box', '4711').optional(),
    room: text(70, 'Room in the building', '304').optional(),
    postcode: text(16, 'Postal code', '75002').optional(),
    townName: text(35, 'Town or city', 'Paris'),
    townLocationName: text(35, 'Place within the town', 'Vendôme').optional(),
    districtName: text(35, 'District within the subdivision of the country', '2e arrondissement').optional(),
    countrySubDivision: text(35, 'State, province or county', 'Île-de-France').optional(),
    addressLine: z
      .array(text(70, 'One line', '12b Rue de la Paix'))
      .max(7)
      .meta({ description: 'The address as lines, if its parts are not known', examples: [['12b Rue de la Paix']] })
      .optional(),
    country: countryCode('Country of the address, ISO 3166-1 alpha-2. An address without a country has XX'),
  })
  .superRefine((value, context) =>
    report(context, [
      // Constraint C8.
      !hasFullAddress(value) && {
        path: ['streetName'],
        message: 'is required, with buildingNumber or buildingName, unless addressLine is set',
        params: { error: 'required' },
      },
    ]),
  );
const addresses = z.array(address).min(1).meta({ description: 'Postal addresses of the person' });

const naturalNameId = z.object({
  primaryIdentifier: text(100, 'Family name, or the whole name if it has no parts', 'Dupont'),
  secondaryIdentifier: text(100, 'Given names; omitted if there are none', 'Anne-Marie').optional(),
  naturalPersonNameIdentifierType: code(
    ['LEGL', ...NATURAL_NAME_TYPES.filter((type) => type !== 'LEGL')] as [string, ...string[]],
    'Type of the name: LEGL legal, BIRT at birth, MAID maiden, ALIA alias, MISC other',
  ),
});
const legalNameId = z.object({
  legalPersonName: text(100, 'Name of the organization', 'Exemple SARL'),
  legalPersonNameIdentifierType: code(
    LEGAL_NAME_TYPES,
    'Type of the name: LEGL registered, SHRT short, TRAD trading name',
  ),
});

function names<S extends z.ZodType>(name: S, isLegal: (entry: z.output<S>) => boolean) {
  const list = z.array(name);
  return z
    .object({
      nameIdentifier: list
        .min(1)
        .meta({ description: 'Names in Latin or the original script; one must be the legal name' }),
      localNameIdentifier: list.meta({ description: 'The same names in the local script' }).optional(),
      phoneticNameIdentifier: list.meta({ description: 'The same names in phonetic spelling' }).optional(),
    })
    .superRefine(({ nameIdentifier }, context) =>
      report(context, [
        // Constraints C5 and C6.
        !nameIdentifier.some(isLegal) && {
          path: ['nameIdentifier'],
          message: 'must contain a name of the type LEGL',
          params: { error: 'required' },
        },
      ]),
    );
}

const nationalIdFields = {
  nationalIdentifier: text(35, 'The number on the document or in the register', '12AB34567'),
  countryOfIssue: countryCode('Country that issued it; natural persons only').optional(),
  registrationAuthority: text(
    8,
    'The register, as its code in the GLEIF list (RA and six digits); for legal persons without an LEI',
    'RA000189',
  ).optional(),
};
const naturalNationalId = z.object({
  ...nationalIdFields,
  nationalIdentifierType: code(
    NATURAL_ID_TYPES,
    'ARNU alien registration, CCPT passport, RAID registration authority, DRLC driving licence, FIIN foreign investment, ' +
      'TXID tax, SOCS social security, IDCD identity card, LEIX LEI, MISC other',
  ),
});
const legalNationalId = z
  .object({
    ...nationalIdFields,
    // Constraint C7.
    nationalIdentifierType: code(
      ['LEIX', 'RAID', 'TXID', 'MISC'],
      'LEIX LEI, RAID registration authority, TXID tax, MISC other',
    ),
  })
  .superRefine((value, context) => report(context, nationalIdProblem(value)));

const customerIdentification = text(50, "The sending VASP's own customer number", 'cus-4711');

const naturalPerson = z.object({
  name: names(naturalNameId, ({ naturalPersonNameIdentifierType: type }) => type === 'LEGL').meta({
    description: 'Names of the person',
  }),
  geographicAddress: addresses.optional(),
  nationalIdentification: naturalNationalId
    .meta({ description: 'A document or number that identifies the person' })
    .optional(),
  customerIdentification: customerIdentification.optional(),
  dateAndPlaceOfBirth: z
    .object({
      // Constraint C2.
      dateOfBirth: z.iso
        .date()
        .superRefine((date, context) =>
          report(context, [!isPast(date) && { path: [], message: 'must be in the past' }]),
        )
        .meta({ description: 'Date of birth, YYYY-MM-DD', examples: ['1987-03-09'] }),
      placeOfBirth: text(70, 'Town and country of birth', 'Lyon, France'),
    })
    .meta({ description: 'When and where the person was born' })
    .optional(),
  countryOfResidence: countryCode('Country in which the person lives').optional(),
});

const legalPerson = z.object({
  name: names(legalNameId, ({ legalPersonNameIdentifierType: type }) => type === 'LEGL').meta({
    description: 'Names of the organization',
  }),
  geographicAddress: addresses.optional(),
  customerIdentification: customerIdentification.optional(),
  nationalIdentification: legalNationalId.meta({ description: 'Its LEI, or a number in a register' }).optional(),
  countryOfRegistration: countryCode('Country of registration').optional(),
});

export const person = z
  .object({
    naturalPerson: naturalPerson.meta({ description: 'A natural person' }).optional(),
    legalPerson: legalPerson.meta({ description: 'An organization' }).optional(),
  })
  .superRefine((value, context) => {
    const count = [value.naturalPerson, value.legalPerson].filter((each) => each !== undefined).length;
    report(context, [
      count === 0 && {
        path: ['naturalPerson'],
        message: 'is required unless legalPerson is set',
        params: { error: 'required' },
      },
      count === 2 && { path: ['legalPerson'], message: 'must be omitted with naturalPerson', params: { error: 'not_required' } }, // prettier-ignore
    ]);
  });

/** Constraints C1 and C4: the originator must be distinguishable from others with the same name. */
export const originatorPerson = person.superRefine(({ naturalPerson: natural, legalPerson: legal }, context) => {
  const common = natural ?? legal;
  if (!common) return;
  const { geographicAddress, nationalIdentification, customerIdentification: customer } = common;
  const identified = [geographicAddress, nationalIdentification, customer, natural?.dateAndPlaceOfBirth];
  report(context, [
    identified.every((field) => field === undefined) && {
      path: [natural ? 'naturalPerson' : 'legalPerson'],
      message: natural
        ? 'must have geographicAddress, nationalIdentification, customerIdentification or dateAndPlaceOfBirth'
        : 'must have geographicAddress, nationalIdentification or customerIdentification',
      params: { error: 'required' },
    },
  ]);
});
