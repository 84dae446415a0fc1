import type { Ivms101 } from '../../api/contract/ivms101';

/** Invented personal data, as another VASP would send them. */
export function sampleData(origin: string | undefined, destination: string): Ivms101 {
  return {
    originator: {
      originatorPerson: [
        {
          naturalPerson: {
            name: {
              nameIdentifier: [
                {
                  primaryIdentifier: 'Sample',
                  secondaryIdentifier: 'Olive',
                  naturalPersonNameIdentifierType: 'LEGL',
                },
              ],
            },
            geographicAddress: [
              {
                addressType: 'HOME',
                streetName: 'Sample Street',
                buildingNumber: '1',
                postcode: '10001',
                townName: 'New York',
                country: 'US',
              },
            ],
            customerIdentification: 'sample-1',
          },
        },
      ],
      accountNumber: [origin ?? 'sample-account'],
    },
    beneficiary: {
      beneficiaryPerson: [
        {
          naturalPerson: {
            name: {
              nameIdentifier: [
                {
                  primaryIdentifier: 'Sample',
                  secondaryIdentifier: 'Bruno',
                  naturalPersonNameIdentifierType: 'LEGL',
                },
              ],
            },
          },
        },
      ],
      accountNumber: [destination],
    },
  };
}
