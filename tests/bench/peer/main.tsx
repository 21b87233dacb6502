/** Members with their ledgers and orders with their members' names, as react-admin's own guide would write them. */
import {
  Admin,
  Datagrid,
  DateField,
  Edit,
  EmailField,
  FunctionField,
  HttpError,
  List,
  NumberField,
  ReferenceField,
  ReferenceManyField,
  Resource,
  SearchInput,
  SelectInput,
  Show,
  SimpleForm,
  Tab,
  TabbedShowLayout,
  TextField,
  TextInput,
} from "react-admin"
import { createRoot } from "react-dom/client"

const keys = { members: "id", orders: "order_id", transactions: "transaction_id" }

async function ask(path, query = {}, init = {}) {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined && value !== "")
  const response = await fetch(`/v1${path}?${new URLSearchParams(sent)}`, {
    ...init,
    headers: { "Content-Type": "application/json" },
  })
  const body = await response.json()
  if (!response.ok) throw new HttpError(body.error?.message, response.status, body)
  return body
}

const withId = (resource) => (record) => ({ ...record, id: record[keys[resource]] })

async function list(path, resource, { pagination, filter = {} }) {
  const { page, perPage } = pagination
  const { q, ...others } = filter
  const { data, meta } = await ask(path, { page, per_page: perPage, search: q, ...others })
  const rows = data.map(withId(resource))
  // Orders have no total: a full page is followed by another.
  if (meta) return { data: rows, total: meta.total }
  return { data: rows, pageInfo: { hasNextPage: rows.length === perPage, hasPreviousPage: page > 1 } }
}

const dataProvider = {
  getList: (resource, params) => list(`/${resource}`, resource, params),
  getOne: async (resource, { id }) => ({ data: withId(resource)((await ask(`/${resource}/${id}`)).data) }),
  getMany: async (resource, { ids }) => ({
    data: await Promise.all(ids.map(async (id) => withId(resource)((await ask(`/${resource}/${id}`)).data))),
  }),
  getManyReference: (resource, { id, ...params }) => list(`/members/${id}/${resource}`, resource, params),
  update: async (resource, { id, data, previousData }) => {
    const changed = Object.entries(data).filter(([name, value]) => value !== previousData[name])
    const init = { method: "PATCH", body: JSON.stringify(Object.fromEntries(changed)) }
    return { data: withId(resource)((await ask(`/${resource}/${id}`, {}, init)).data) }
  },
}

const name = (record) => `${record.first_name} ${record.last_name}`
const choices = (...ids) => ids.map((id) => ({ id, name: id }))

const MemberList = () => (
  <List
    perPage={25}
    filters={[
      <SearchInput key="q" source="q" alwaysOn placeholder="Name or e-mail" />,
      <SelectInput
        key="status"
        source="status"
        alwaysOn
        choices={choices("active", "inactive", "pending")}
      />,
    ]}
  >
    <Datagrid rowClick="show">
      <FunctionField label="Name" render={name} />
      <EmailField source="email" />
      <TextField source="company" />
      <TextField source="tier" />
      <TextField source="status" />
      <NumberField source="points_balance" />
      <DateField source="created_at" />
    </Datagrid>
  </List>
)

const MemberShow = () => (
  <Show>
    <TabbedShowLayout>
      <Tab label="Details">
        <FunctionField label="Name" render={name} />
        <EmailField source="email" />
        <TextField source="company" />
        <NumberField source="points_balance" />
      </Tab>
      <Tab label="Ledger" path="ledger">
        <ReferenceManyField reference="transactions" target="member_id" perPage={25}>
          <Datagrid bulkActionButtons={false} rowClick={false}>
            <DateField source="created_at" showTime />
            <TextField source="type" />
            <TextField source="reason" />
            <NumberField source="points" />
            <NumberField source="balance_after" label="Balance after" />
          </Datagrid>
        </ReferenceManyField>
      </Tab>
    </TabbedShowLayout>
  </Show>
)

const MemberEdit = () => (
  <Edit mutationMode="pessimistic">
    <SimpleForm>
      <TextInput source="first_name" />
      <TextInput source="last_name" />
      <TextInput source="company" />
      <TextInput source="phone" />
    </SimpleForm>
  </Edit>
)

const OrderList = () => (
  <List
    perPage={25}
    filters={[
      <SelectInput
        key="status"
        source="status"
        alwaysOn
        choices={choices("pending", "processing", "shipped", "completed", "cancelled")}
      />,
    ]}
  >
    <Datagrid rowClick="edit">
      <TextField source="id" />
      <ReferenceField source="member_id" reference="members" link="show">
        <FunctionField render={name} />
      </ReferenceField>
      <TextField source="reward_name" />
      <NumberField source="points_spent" />
      <TextField source="status" />
      <TextField source="tracking_number" />
      <DateField source="created_at" />
    </Datagrid>
  </List>
)

const OrderEdit = () => (
  <Edit mutationMode="pessimistic">
    <SimpleForm>
      <TextInput source="tracking_number" />
      <TextInput source="carrier" />
    </SimpleForm>
  </Edit>
)

createRoot(document.getElementById("root")).render(
  <Admin dataProvider={dataProvider} disableTelemetry>
    <Resource
      name="members"
      list={MemberList}
      show={MemberShow}
      edit={MemberEdit}
      recordRepresentation={name}
    />
    <Resource name="orders" list={OrderList} edit={OrderEdit} />
  </Admin>,
)
