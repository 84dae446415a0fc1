import { z } from 'zod';
import { report, text } from './ivms101Fields';
import { originatorPerson, person } from './ivms101Person';

/**
 * IVMS101, the data that VASPs send one another about the people behind a transfer: field names of the API (api-facts 9:
 * persons as `originatorPerson`, `beneficiaryPerson`).
 */

const TRANSLITERATIONS = ['arab', 'aran', 'armn', 'cyrl', 'deva', 'geor', 'grek', 'hani', 'hebr', 'kana', 'kore', 'thai', 'othr'] as const; // prettier-ignore

const accountNumber = z
  .array(text(100, 'A blockchain address or account', '0x774d7851bbda86ed5314823758baf3840166a9f5'))
  .min(1)
  .meta({
    description: 'Accounts of the transfer: addresses on the blockchain',
    examples: [['0x774d7851bbda86ed5314823758baf3840166a9f5']],
  });

export const ivms101 = z.object({
  originator: z
    .object({
      originatorPerson: z
        .array(originatorPerson)
        .min(1)
        .meta({ description: 'Who sends; several where the account is held jointly' }),
      accountNumber: accountNumber.optional(),
    })
    .meta({ description: 'Whose money is sent' }),
  beneficiary: z
    .object({
      beneficiaryPerson: z.array(person).min(1).meta({ description: 'Who is to receive' }),
      accountNumber: accountNumber.optional(),
    })
    .meta({ description: 'For whom the money is' }),
  originatingVASP: z
    .object({ originatingVASP: person.meta({ description: 'The organisation' }) })
    .meta({ description: 'The VASP that sends for the originator' })
    .optional(),
  beneficiaryVASP: z
    .object({ beneficiaryVASP: person.meta({ description: 'The organisation' }) })
    .meta({ description: 'The VASP that receives for the beneficiary' })
    .optional(),
  transferPath: z
    .object({
      transferPath: z
        .array(
          z.object({
            intermediaryVASP: person.meta({ description: 'A VASP in between' }),
            sequence: z
              .number()
              .int()
              .nonnegative()
              .meta({ description: 'Its place on the way, from 0', examples: [0] }),
          }),
        )
        // C12
        .superRefine((path, context) =>
          report(context, [
            new Set(path.map(({ sequence }) => sequence)).size !== path.length && {
              path: [],
              message: 'has a sequence twice',
            },
          ]),
        )
        .meta({ description: 'VASPs in between, each with its place' }),
    })
    .meta({ description: 'The way of the transfer through other VASPs' })
    .optional(),
  payloadMetadata: z
    .object({
      transliterationMethod: z
        .array(z.enum(TRANSLITERATIONS))
        .meta({ description: 'How names were put into Latin script', examples: [['cyrl']] }),
    })
    .meta({ description: 'About the data themselves' })
    .optional(),
});
export type Ivms101 = z.output<typeof ivms101>;
