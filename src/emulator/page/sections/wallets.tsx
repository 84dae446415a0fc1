import { ActionButton, FormButton } from '../buttons.js';
import type { Newest, WalletView } from '../overview.js';
import { Actions, Section, State, Table, Truncated } from '../widgets.js';
import { useWorld } from '../world.js';

export function Wallets({ wallets: { shown, count } }: { wallets: Newest<WalletView> }) {
  return (
    <Section
      id="wallets"
      title="Wallets"
      count={count}
      empty="None yet. POST /developer/wallets and approvals of users create wallets."
    >
      <Table columns={['Wallet', 'Blockchain', 'State', 'Balances']} shown={shown.length} count={count}>
        {shown.map((wallet) => (
          <Row key={wallet.id} wallet={wallet} />
        ))}
      </Table>
    </Section>
  );
}

function Row({ wallet }: { wallet: WalletView }) {
  const { runControl } = useWorld();
  const { id, address, blockchain, state, accountType, name, refId, userId, balances, tokens } = wallet;
  const title = `${name ?? refId ?? id} on ${blockchain}`;
  const frozen = state === 'FROZEN';
  return (
    <tr>
      <td>
        {(name ?? refId) && <div>{name ?? refId}</div>}
        <Truncated text={address} />
        <small>
          {accountType} {userId ? `of user ${userId}` : ''}
        </small>
      </td>
      <td data-label="Blockchain">{blockchain}</td>
      <td data-label="State">
        <State state={state} />
      </td>
      <td data-label="Balances">
        {balances.length === 0
          ? 'nothing'
          : balances.map(({ label, amount }) => <div key={label}>{`${amount} ${label}`}</div>)}
      </td>
      <Actions>
        <FormButton
          label={`Send tokens to ${title}`}
          title={`Send tokens to ${title} from outside`}
          submit="Send"
          fields={[
            {
              name: 'tokenId',
              label: 'Token',
              options: tokens.map((token) => ({ value: token.id, label: token.symbol })),
            },
            { name: 'amount', label: 'Amount', inputMode: 'decimal' },
            { name: 'from', label: 'Sender', required: false, hint: 'An address. Leave empty for an external one.' },
          ]}
          run={({ from, ...body }) =>
            runControl('Tokens are on their way', 'POST', `/wallets/${id}/inbound`, { ...body, ...(from && { from }) })
          }
        >
          Inbound
        </FormButton>
        <ActionButton
          label={`${frozen ? 'Unfreeze' : 'Freeze'} ${title}`}
          run={() =>
            frozen
              ? runControl('Wallet unfrozen', 'POST', `/wallets/${id}/unfreeze`)
              : runControl('Wallet frozen', 'POST', `/wallets/${id}/freeze`)
          }
        >
          {frozen ? 'Unfreeze' : 'Freeze'}
        </ActionButton>
      </Actions>
    </tr>
  );
}
