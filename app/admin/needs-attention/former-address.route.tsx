import { Navigate } from 'react-router'

/** Bookmarks and links in sent mails use this address. */
export default function FormerAddress() {
  return <Navigate to="/admin/needs-attention" replace />
}
