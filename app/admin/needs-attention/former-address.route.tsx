import { Navigate } from 'react-router'

/** Bookmarks and mails know the page by its former name. */
export default function FormerAddress() {
  return <Navigate to="/admin/needs-attention" replace />
}
