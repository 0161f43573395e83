import { useState, type FormEvent, type ReactNode } from 'react'
import { Checkbox, TextField } from '#app/ui/form/field.tsx'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { FormActions } from '../form/form-actions.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import styles from '../form/form-dialog.module.css'
import {
  HOOKS_CHEAPER,
  HOOKS_FOR_LESS,
  formErrors,
  isHooksPriceLower,
  type ProductFormErrors,
} from './product-form-errors.ts'
import { useCreateProduct, useUpdateProduct, type AdminProduct, type ProductDetails } from './product.ts'
import { useEdit } from '../form/use-edit.tsx'

export function CreateProductDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateProduct()

  return (
    <FormDialog title="Create New Product" isOpen isBusy={create.isPending} onClose={onClose}>
      <ProductForm
        submitLabel="Create Product"
        isBusy={create.isPending}
        problems={formErrors(create.error)}
        onSubmit={(details) => create.mutate(details, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </FormDialog>
  )
}

export function EditProductDialog({ product, onClose }: { product: AdminProduct; onClose: () => void }) {
  const update = useUpdateProduct()
  const { seen, save, conflict } = useEdit({ row: product, mutation: update, onSaved: onClose })
  // An untouched stock is not saved: it may have sold since. With several colours it is the sum of theirs.
  const saveDetails = ({ stock_quantity, ...details }: ProductDetails) =>
    save(
      hasColours(product) || stock_quantity === seen.stock_quantity
        ? details
        : { ...details, stock_quantity },
    )

  return (
    <FormDialog title="Edit Product" isOpen isBusy={update.isPending} onClose={onClose}>
      <ProductForm
        key={seen.updated_at}
        product={seen}
        conflict={conflict}
        submitLabel="Save Changes"
        isBusy={update.isPending}
        problems={formErrors(update.error)}
        onSubmit={saveDetails}
        onCancel={onClose}
      />
    </FormDialog>
  )
}

function hasColours(product: AdminProduct): boolean {
  return product.product_variants.length > 1
}

interface FormProps {
  product?: AdminProduct
  /** The message about a conflicting change. */
  conflict?: ReactNode
  submitLabel: string
  isBusy: boolean
  /** Errors of the last attempt. */
  problems: ProductFormErrors
  onSubmit: (details: ProductDetails) => void
  onCancel: () => void
}

const AMOUNT = { type: 'number', inputMode: 'decimal', step: '0.01', min: '0', max: '1000000' } as const

/** Uncontrolled, so that the browser validates the required fields. */
function ProductForm({ product, conflict, submitLabel, isBusy, problems, onSubmit, onCancel }: FormProps) {
  const isSum = product !== undefined && hasColours(product)

  // True when a save waits for confirmation of the lower price.
  const [asksAboutHooks, setAsksAboutHooks] = useState(false)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const details = detailsFrom(form)
    const isHeldBack = isHooksPriceLower(details) && !form.has('hooks_for_less')
    setAsksAboutHooks(isHeldBack || form.has('hooks_for_less'))
    if (!isHeldBack) onSubmit(details)
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      {conflict}
      <TextField
        label="Product Name"
        name="name"
        required
        maxLength={120}
        error={problems.name}
        defaultValue={product?.name}
      />
      <TextField
        label="Category"
        name="category"
        maxLength={60}
        error={problems.category}
        defaultValue={product?.category ?? ''}
      />
      <div className={styles.pair}>
        <TextField
          label="Price (ZAR)"
          name="price"
          {...AMOUNT}
          required
          error={problems.price}
          defaultValue={product?.price ?? 0}
        />
        <TextField
          label="Stock Quantity"
          name="stock_quantity"
          type="number"
          inputMode="numeric"
          step="1"
          min="0"
          max="1000000"
          required
          error={problems.stock_quantity}
          readOnly={isSum}
          hint={isSum ? 'The sum of its colours' : undefined}
          defaultValue={product?.stock_quantity ?? 0}
        />
      </div>
      <HooksPriceField
        initial={product?.price_with_hooks}
        problem={problems.price_with_hooks}
        asks={asksAboutHooks}
      />
      <TextArea
        label="Description"
        name="description"
        maxLength={5000}
        error={problems.description}
        defaultValue={product?.description}
      />
      <ImageField initial={product?.image_url ?? ''} problem={problems.image_url} />
      <FormActions label={submitLabel} isBusy={isBusy} onCancel={onCancel} />
    </form>
  )
}

interface HooksPriceProps {
  initial: number | null | undefined
  problem: string | undefined
  /** Asks to confirm a price below the one without hooks. */
  asks: boolean
}

function HooksPriceField({ initial, problem, asks }: HooksPriceProps) {
  return (
    <>
      <TextField
        label="Price With Hooks (ZAR)"
        name="price_with_hooks"
        isOptional
        {...AMOUNT}
        hint="Leave empty if the lure is not sold with hooks."
        error={problem ?? (asks ? HOOKS_CHEAPER : null)}
        defaultValue={initial ?? ''}
      />
      {asks && <Checkbox name="hooks_for_less" label={HOOKS_FOR_LESS} />}
    </>
  )
}

function ImageField({ initial, problem }: { initial: string; problem: string | undefined }) {
  const [url, setUrl] = useState(initial)
  const [isBroken, setIsBroken] = useState(false)
  return (
    <>
      <TextField
        label="Image URL"
        name="image_url"
        maxLength={2048}
        autoCapitalize="none"
        spellCheck={false}
        error={problem ?? (isBroken ? 'There is no picture at this address.' : null)}
        value={url}
        onValue={(value) => {
          setUrl(value)
          setIsBroken(false)
        }}
      />
      {url && !isBroken && (
        <img
          src={url}
          alt="Preview"
          width={120}
          height={120}
          style={{ objectFit: 'cover' }}
          onError={() => setIsBroken(true)}
        />
      )}
    </>
  )
}

function detailsFrom(form: FormData): ProductDetails {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    name: text('name'),
    category: text('category') || null,
    price: Number(text('price')),
    price_with_hooks: text('price_with_hooks') === '' ? null : Number(text('price_with_hooks')),
    stock_quantity: Number(text('stock_quantity')),
    description: text('description'),
    image_url: text('image_url') || null,
  }
}
