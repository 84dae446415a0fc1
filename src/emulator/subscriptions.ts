/** A webhook subscription as the API shows it. */
export interface Subscription {
  id: string;
  name: string;
  endpoint: string;
  enabled: boolean;
  /** Whether it is for some types only. */
  restricted: boolean;
  notificationTypes: string[];
  createDate: string;
  updateDate: string;
}

const ALL = '*';
/** Each for testnets and mainnets (api-facts 8): a world has one kind. */
const MOST = 20;

/** Where webhooks of a world go, by id. */
export class Subscriptions {
  readonly #byId = new Map<string, Subscription>();

  add(given: { id: string; endpoint: string; notificationTypes?: string[] | undefined; at: Date }): Subscription {
    const { id, endpoint, notificationTypes = [ALL], at } = given;
    const date = at.toISOString();
    const subscription: Subscription = {
      id,
      name: `subscription ${this.#byId.size + 1}`,
      endpoint,
      enabled: true,
      restricted: !notificationTypes.includes(ALL),
      notificationTypes,
      createDate: date,
      updateDate: date,
    };
    this.#byId.set(id, subscription);
    return subscription;
  }

  isFull(): boolean {
    return this.#byId.size >= MOST;
  }

  list(): Subscription[] {
    return [...this.#byId.values()];
  }

  find(id: string): Subscription | undefined {
    return this.#byId.get(id);
  }

  /** False when there is none of this id. */
  remove(id: string): boolean {
    return this.#byId.delete(id);
  }

  /** The enabled ones that want a type. */
  wanting(type: string): Subscription[] {
    return this.list().filter(
      ({ enabled, notificationTypes }) => enabled && notificationTypes.some((wanted) => isWanted(wanted, type)),
    );
  }
}

/** Whether a type is named itself, by its family (`transactions.*`) or by `*`. */
export function isWanted(wanted: string, type: string): boolean {
  return wanted === ALL || wanted === type || wanted === `${type.split('.')[0]}.*`;
}
