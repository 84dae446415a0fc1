import { FormButton } from '../buttons.js';
import type { VaspView } from '../counterpartyViews.js';
import { useWorld } from '../world.js';

const ASSETS = ['USDC', 'ETH-SEPOLIA', 'ETH', 'AVAX', 'MATIC', 'SOL'].map((name) => ({ value: name, label: name }));

/** Lets another VASP send a travel-rule message about an incoming transfer. */
export function IncomingMessage({ vasps }: { vasps: readonly VaspView[] }) {
  const { runControl } = useWorld();
  return (
    <FormButton
      title="Another VASP sends a message"
      description="The personal data in it are fictitious."
      submit="Send"
      fields={[
        {
          name: 'vaspId',
          label: 'From',
          options: vasps.map(({ id, name, jurisdiction }) => ({ value: id, label: `${name} (${jurisdiction})` })),
        },
        { name: 'customerJurisdiction', label: 'Country of your customer', value: 'US', hint: 'Two letters.' },
        { name: 'asset', label: 'Asset', options: ASSETS },
        {
          name: 'amount',
          label: 'Amount',
          inputMode: 'numeric',
          hint: 'In the smallest unit: 5000000000 is 5,000 USDC.',
        },
        { name: 'destination', label: 'To', hint: 'An address of your customer.' },
        { name: 'origin', label: 'From address', required: false },
        { name: 'txHash', label: 'Transaction hash', required: false },
      ]}
      run={(values) =>
        runControl(
          'Message received',
          'POST',
          '/travelRule/incoming',
          Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
        )
      }
    >
      Incoming message
    </FormButton>
  );
}
